// A certificate: buttons to save and to verify it, and the command that verifies it elsewhere.
import { saveFile } from "../copying/clipboard.ts";
import { askOnce } from "../state/request.ts";
import { usePage } from "../state/page.ts";
import { CopyButton } from "../tables/Copying.tsx";
import { useState } from "preact/hooks";

/** The file name under which a request and its answer refer to the certificate. */
export const CERTIFICATE = "certificate.json";

export function Certificate({ text, family }: { text: string | undefined; family: string }) {
  const { engine, reportOffline, state, say, announce } = usePage();
  const [checked, setChecked] = useState<string | null>(null);
  if (text === undefined) return null;
  const name = `${family.replace(/\W+/g, "-").replace(/^-|-$/g, "")}.json`;
  const verify = async () => {
    const response = await askOnce(engine, reportOffline, "verify", { file: CERTIFICATE, files: { [CERTIFICATE]: text }, lang: state.lang }, new AbortController().signal);
    const words =
      response === null ? ""
      : "answer" in response ? say(response.answer.valid ? "certificate_valid" : "certificate_wrong")
      : response.trouble.message;
    setChecked(words);
    announce(words);
  };
  return (
    <section class="certificate">
      <h2>{say("certificate")}</h2>
      <p class="telling">{say("certificate_about")}</p>
      <div class="copies">
        <button type="button" class="plain" onClick={() => saveFile(name, new Blob([text], { type: "application/json" }))}>
          {say("certificate_save")}
        </button>
        <button type="button" class="plain" onClick={verify}>
          {say("certificate_check")}
        </button>
        <CopyButton what={say("copy_command")} text={() => `grundy verify ${name}`} />
      </div>
      <p>
        <code>grundy verify {name}</code>
      </p>
      {checked !== null && <p class="checked">{checked}</p>}
    </section>
  );
}
