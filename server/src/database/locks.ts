/** Held alone by a backup while it copies, and shared by whoever removes the bytes of uploaded files. */
export const backupLock = 2024112113
