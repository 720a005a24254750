// A step of an explanation: its sentence, its picture, and its substeps.
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

/** The picture of a step, or else its lines of text. */
function Below({ step, scale }: { step: Step; scale: number }) {
  if (step.svg) return <Picture svg={step.svg} scale={scale} least={0.75} />;
  if (step.below) return <pre>{step.below}</pre>;
  return null;
}
