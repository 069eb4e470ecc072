// Sends a file and reports its progress, which `fetch` cannot.
import { Failure, failureOf, notice, type Schemas } from '../api/client';
import type { Environment } from './environment.svelte';
import { lostSession, session, signedIn, takeUp } from './session.svelte';

type Sending = { done: Promise<Schemas['Material']>; stop: () => void };

export function send(file: File, title: string, once: string, environment: Environment, onprogress: (share: number) => void): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<Schemas['Material']>((resolve, reject) => {
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onprogress(event.loaded / event.total);
    };
    request.onload = async () => {
      let body: unknown = null;
      try {
        body = JSON.parse(request.responseText);
      } catch {
        // Said by `failureOf`.
      }
      if (request.status === 202) return resolve(body as Schemas['Material']);
      const failure = failureOf(request.status, body, request.getResponseHeader('retry-after'));
      if (failure.status === 401) {
        if (!(await takeUp())) lostSession();
        await signedIn();
        return reject(new Failure('session_ended', 'Your session had ended, so the file was not uploaded. Try again.', 0));
      }
      notice(failure);
      reject(failure);
    };
    request.onerror = () => reject(new Failure('unreachable', 'The upload was interrupted. Try again: the file is added only once.', 0));
    request.onabort = () => reject(new Failure('stopped', 'The upload was cancelled.', 0));
  });
  const form = new FormData();
  if (title.trim()) form.append('title', title.trim());
  form.append('file', file);
  request.open('POST', `/v1/bff/materials?environment=${environment}`);
  request.setRequestHeader('X-Lectern-CSRF', session.csrf ?? '');
  request.setRequestHeader('Idempotency-Key', once);
  request.send(form);
  return { done, stop: () => request.abort() };
}
