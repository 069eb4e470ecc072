// Errors that concern one field of a form.
import { ApiError } from '../api/error';

/** What the service says about a field. */
export const fieldErrorOf = (error: unknown, field: string): string | null => (error instanceof ApiError ? error.field(field) : null);
