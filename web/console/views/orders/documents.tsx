import { requestFile } from "../../api/request.ts";
import { Said } from "../../forms/said.tsx";
import { useAction } from "../../forms/use-action.ts";
import { saveFile } from "../../parts/save-file.ts";

const documents = [
  ["Result", "result/pdf"],
  ["Requisition", "requisition/pdf"],
] as const;

/** Buttons that save the documents of an order. */
export function Documents({ orderId }: { readonly orderId: string }) {
  const action = useAction();
  const root = `/v3/order/${encodeURIComponent(orderId)}`;
  const save = (name: string, path: string) =>
    action.run(async () => saveFile(`${name.toLowerCase()}.pdf`, await requestFile(`${root}/${path}`)));
  return (
    <>
      <Said action={action} />
      {documents.map(([name, path]) => (
        <button key={path} type="button" disabled={action.isBusy} onClick={() => save(name, path)}>
          {name} (PDF)
        </button>
      ))}
    </>
  );
}
