/**
 * Fetches a part before it is wanted, because somebody is near it. Where it cannot be had, nothing is said: whoever
 * opens it is told then.
 */
export const prefetch = (load: () => Promise<unknown>): void => void load().catch(() => undefined)
