// The editor for a term, chosen by its shape.
import { Form } from "./Form.tsx";
import { FigureEditor } from "./FigureEditor.tsx";
import type { Call } from "./literal.ts";
import type { Shape } from "./shapes.ts";
import { Bar, Letters, Strip } from "./Squares.tsx";

export function Editor({ shape, change }: { shape: Shape; change(call: Call): void }) {
  const { call } = shape;
  switch (shape.what) {
    case "figure":
      return <FigureEditor key={call.name} figure={shape.figure} call={call} change={change} />;
    case "letters":
      return <Letters call={call} change={change} letters={shape.letters} single={shape.single} />;
    case "strip":
      return <Strip call={call} change={change} first={shape.first} most={shape.most} />;
    case "bar":
      return <Bar call={call} change={change} />;
    case "form":
      return <Form call={call} change={change} />;
  }
}
