// For the test beside it: what every store must do, asked of the Durable Object itself, as JSON.
export default {
  async fetch(request, { MEMORIES }) {
    const { user, op, args } = await request.json();
    return Response.json(await MEMORIES.get(MEMORIES.idFromName(user))[op](...args));
  },
};
