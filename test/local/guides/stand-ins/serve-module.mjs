import { createServer } from "node:http";

/** Serves a module at a port: a route handler of Next.js (`POST`), or a Lambda function behind a function URL. */
const [file, port] = process.argv.slice(2);
const { POST, handler } = await import(file);

async function answer({ headers }, body) {
  if (POST) return (await POST(new Request("http://127.0.0.1/webhooks", { method: "POST", headers, body }))).status;
  const { statusCode } = await handler({ headers, body: body.toString("base64"), isBase64Encoded: true });
  return statusCode;
}

createServer(async (request, response) => {
  response.writeHead(await answer(request, Buffer.concat(await request.toArray()))).end();
}).listen(Number(port), "127.0.0.1");
