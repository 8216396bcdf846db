/** Signed addresses hold ten minutes at least. */
export const LINKS_STALE = 300_000

const pictures: ReadonlySet<unknown> = new Set(['jpg', 'png', 'gif', 'webp'])
export const isPicture = (extension: unknown): boolean => pictures.has(extension)
