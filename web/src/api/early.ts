// Answers that early.js, in the head of the page, has asked for before any module was there.

/** An answer is for the page that it was asked for. Whoever comes later gets a new one. */
const KEPT_MS = 10_000;

type Answers = Map<string, Promise<Response>>;
const answers = (globalThis as { lecternAnswers?: Answers }).lecternAnswers;
setTimeout(() => answers?.clear(), KEPT_MS);

/** The answer to a request, which the first who asks gets from the head of the page if that has asked already. */
export function fetchEarly(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const answer = request.method === 'GET' ? answers?.get(pathname + search) : undefined;
  answers?.delete(pathname + search);
  return answer ?? fetch(request);
}
