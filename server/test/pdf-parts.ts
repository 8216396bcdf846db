import { getDocumentProxy } from 'unpdf'

/** The texts of each page of a PDF, in the order in which they were drawn, as another program than ours reads them. */
export async function pagesOf(bytes: Uint8Array): Promise<string[][]> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const pages: string[][] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent()
    pages.push(items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item.str] : [])))
  }
  await document.cleanup()
  return pages
}

const bare = (text: string): string => text.replace(/\s+/g, '')

/**
 * Takes cells off the beginning of what was drawn; each is drawn by itself, in as many pieces as it has lines or fonts. Throws
 * where the drawn texts say something else, or a piece reaches from one cell into the next.
 */
export function take(drawn: string[], cells: readonly string[]): void {
  for (const cell of cells) {
    const wanted = bare(cell)
    let found = ''
    while (found.length < wanted.length && drawn.length > 0) found += bare(drawn.shift()!)
    if (found !== wanted) throw new Error(`"${cell}" is drawn as "${found}"`)
  }
}

/** How each page is as wide and as high, in points. */
export async function sizesOf(bytes: Uint8Array): Promise<{ width: number; height: number }[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const sizes: { width: number; height: number }[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const { width, height } = (await document.getPage(number)).getViewport({ scale: 1 })
    sizes.push({ width: Math.round(width), height: Math.round(height) })
  }
  return sizes
}
