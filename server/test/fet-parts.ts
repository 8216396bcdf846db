import { SaxesParser } from 'strict-saxes'

/** An element of a file as a strict parser reads it. */
export interface Read {
  readonly name: string
  readonly within: Read[]
  text: string
}

/** Reads a document by a parser that refuses whatever is no XML. */
export function parsed(text: string): Read {
  const root: Read = { name: '', within: [], text: '' }
  const path = [root]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    const made: Read = { name, within: [], text: '' }
    path.at(-1)!.within.push(made)
    path.push(made)
  })
  parser.on('text', (part) => {
    path.at(-1)!.text += part
  })
  parser.on('closetag', () => path.pop())
  parser.write(text).close()
  return root.within[0]!
}

/** The elements right below one that have a name. */
export const all = (of: Read, name: string): Read[] => of.within.filter((each) => each.name === name)
/** The one of a name. */
export function one(of: Read, name: string): Read {
  const [found, more] = all(of, name)
  if (!found || more) throw new Error(`${of.name} has not one ${name}`)
  return found
}
/** Texts of those of a name. */
export const texts = (of: Read, name: string): string[] => all(of, name).map(({ text }) => text)
/** Every element of a name, wherever it stands. */
export const deep = (of: Read, name: string): Read[] =>
  of.within.flatMap((each) => [...(each.name === name ? [each] : []), ...deep(each, name)])
