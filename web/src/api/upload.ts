// Uploads a file with XMLHttpRequest, because `fetch` does not report progress.
import { handleAccountError, renewSession } from './client';
import type { Environment } from './environment.svelte';
import { ApiError, errorFromResponse } from './error';
import { session } from './session.svelte';
import type { Schemas } from './types';

type Options = {
  title: string;
  idempotencyKey: string;
  environment: Environment;
  /** Receives the share that has been sent, from 0 to 1. */
  onprogress: (share: number) => void;
};
type RunningUpload = { done: Promise<Schemas['Material']>; abort: () => void };

export function uploadFile(file: File, { title, idempotencyKey, environment, onprogress }: Options): RunningUpload {
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
        // `errorFromResponse` reports a body that is not JSON.
      }
      if (request.status === 202) return resolve(body as Schemas['Material']);
      const error = errorFromResponse(request.status, body, request.getResponseHeader('retry-after'));
      if (error.status === 401) {
        await renewSession();
        return reject(new ApiError('session_ended', 'Your session had ended, so the file was not uploaded. Try again.', 0));
      }
      handleAccountError(error);
      reject(error);
    };
    request.onerror = () => reject(new ApiError('upload_interrupted', 'The upload was interrupted. Try again: the file is added only once.', 0));
    request.onabort = () => reject(new ApiError('cancelled', 'The upload was cancelled.', 0));
  });
  const form = new FormData();
  if (title) form.append('title', title);
  form.append('file', file);
  request.open('POST', `/v1/bff/materials?environment=${environment}`);
  request.setRequestHeader('X-Lectern-CSRF', session.csrfToken ?? '');
  request.setRequestHeader('Idempotency-Key', idempotencyKey);
  request.send(form);
  return { done, abort: () => request.abort() };
}
