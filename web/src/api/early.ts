// Answers that early.js, in the head of the page, has asked for before any module was there.

/** After this time an early answer is too old, and the request is sent again. */
const KEPT_MS = 10_000;

const answers = (globalThis as { lecternAnswers?: Map<string, Promise<Response>> }).lecternAnswers;
/** The early answers that were handed out. */
const taken = new WeakSet<Response>();

/** From now on everything is asked for anew: something has changed on the service, or somebody else is signed in. */
export const endEarly = (): void => answers?.clear();
if (answers) setTimeout(endEarly, KEPT_MS);

/** Whether an answer was asked for by the head of the page, some time ago. */
export const isEarly = (response: Response): boolean => taken.has(response);

/** The answer to a request, which the first who asks gets from the head of the page if that has asked already. */
export async function fetchEarly(request: Request): Promise<Response> {
  if (request.method !== 'GET') endEarly();
  const { pathname, search } = new URL(request.url);
  const answer = answers?.get(pathname + search);
  if (!answer) return fetch(request);
  answers?.delete(pathname + search);
  const { signal } = request;
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const response = await Promise.race([answer, aborted]);
  taken.add(response);
  return response;
}
