/**
 * Held alone by a backup while it copies, and shared by whoever removes the bytes of uploaded files: a sweep for moments,
 * the purge of a tenant until it is done.
 */
export const backupLock = 2024112113
