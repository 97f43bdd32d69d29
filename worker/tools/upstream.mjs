// A model's server for measuring: it says the last message back in pieces of 20 characters, one every `metadata.pause`
// milliseconds. Prints its port.
import { createServer } from "node:http";

const PIECE = 20;

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (data) => {
    body += data;
  });
  request.on("end", () => {
    const { model, messages, metadata } = JSON.parse(body);
    const text = messages.at(-1).content;
    const pause = Number(metadata?.pause ?? 0);
    const event = (delta, ends = null) =>
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model, choices: [{ index: 0, delta, finish_reason: ends }] })}\n\n`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    let at = 0;
    const next = () => {
      if (response.destroyed) return;
      if (at >= text.length) {
        response.end(`${event({}, "stop")}data: [DONE]\n\n`);
        return;
      }
      response.write(event({ content: text.slice(at, at + PIECE) }));
      at += PIECE;
      setTimeout(next, pause);
    };
    next();
  });
});
server.listen(0, "127.0.0.1", 2048, () => console.log(server.address().port));
