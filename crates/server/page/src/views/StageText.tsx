// One stage of an explanation: words, pictures, and what belongs under it.
import { Picture } from "../board/Picture.tsx";
import type { Step } from "../engine/answers.ts";
import { type Stage, sentence } from "../explanation.ts";

export function StageText({ stage, scale = 1.2 }: { stage: Stage; scale?: number }) {
  return (
    <>
      <p>{sentence(stage.head)}</p>
      <Below step={stage.head} scale={scale} />
      {stage.under.length > 0 && (
        <ul class="under">
          {stage.under.map((step, index) => (
            <li key={index}>
              {sentence(step)}
              <Below step={step} scale={scale} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** What stands below a sentence: its picture, else its drawing in characters. */
function Below({ step, scale }: { step: Step; scale: number }) {
  if (step.svg) return <Picture svg={step.svg} scale={scale} least={0.75} />;
  if (step.below) return <pre>{step.below}</pre>;
  return null;
}
