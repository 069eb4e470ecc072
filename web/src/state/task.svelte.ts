// Work that a user starts: whether it is running, and why it failed.
export class Task {
  busy = $state(false);
  error = $state<unknown>(null);

  /** Runs `work` and keeps its error. Returns whether it succeeded. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    this.busy = true;
    this.error = null;
    try {
      await work();
    } catch (error) {
      this.error = error;
    }
    this.busy = false;
    return this.error === null;
  }
}
