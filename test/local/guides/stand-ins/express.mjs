import { createServer } from "node:http";

/** The part of Express that the guide uses. */
export default function express() {
  const routes = new Map();
  const app = {
    post(path, ...handlers) {
      routes.set(path, handlers);
      return app;
    },
    listen(port) {
      return createServer(async (request, response) => {
        response.sendStatus = (status) => response.writeHead(status).end();
        for (const handle of routes.get(request.url)) await handle(request, response);
      }).listen(port, "127.0.0.1");
    },
  };
  return app;
}

express.raw =
  ({ type }) =>
  async (request) => {
    if (request.headers["content-type"] === type) request.body = Buffer.concat(await request.toArray());
  };
