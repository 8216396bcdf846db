/** A number of bytes as people say it. */
export function sizeText(bytes: number): string {
  const [value, unit] =
    bytes >= 1024 ** 3
      ? [bytes / 1024 ** 3, 'GB']
      : bytes >= 1024 ** 2
        ? [bytes / 1024 ** 2, 'MB']
        : bytes >= 1024
          ? [bytes / 1024, 'kB']
          : [bytes, 'B']
  return `${value.toFixed(value >= 100 || unit === 'B' ? 0 : 1).replace(/\.0$/, '')} ${unit}`
}
