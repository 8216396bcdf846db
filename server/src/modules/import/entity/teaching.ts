import { readClass } from '@data-brain/contract/import/class-name'
import { namesSubject, subjectInHeading } from '@data-brain/contract/import/entity-forms'
import { foldHeading } from '@data-brain/contract/import/form'

/* What a cell or a heading says of classes, subjects and hours together. */

/** A subject with the classes in which it is taught, as they are written. */
export interface TaughtSubject {
  readonly subject: string
  readonly classes: readonly string[]
}

const isSubject = (text: string): boolean => /^[\p{Script=Han}a-z]+$/iu.test(text) && namesSubject(foldHeading(text))
const isClass = (text: string): boolean => readClass(text).length > 0

/** Where a piece is a class and a subject in either order: 三（1）班语文, 语文三1; the longest subject wins. */
function splitPiece(piece: string): { readonly subject?: string; readonly name?: string; readonly isFirst?: boolean } {
  if (isSubject(piece)) return { subject: piece }
  if (isClass(piece)) return { name: piece }
  for (let at = 1; at < piece.length; at += 1) {
    const [before, behind] = [piece.slice(0, at).replace(/[(:：]$/, ''), piece.slice(at).replace(/^[:：]/, '')]
    if (isClass(before) && isSubject(behind)) return { name: before, subject: behind }
  }
  for (let at = piece.length - 1; at > 0; at -= 1) {
    const [before, behind] = [piece.slice(0, at).replace(/[(:：]$/, ''), piece.slice(at).replace(/^[:：]/, '')]
    if (isSubject(before) && isClass(behind)) return { name: behind, subject: before, isFirst: true }
  }
  return {}
}

/**
 * Which subjects a cell says that somebody teaches in which classes: 三（1）班语文、三（2）班语文; 三1、三2语文; 语文：三1、三2.
 * Undefined where something stands there that is neither.
 */
export function readTaught(text: string): TaughtSubject[] | undefined {
  const pieces = text
    .normalize('NFKC')
    .replace(/\s*(\d{1,2})\s*(节|课时)/g, '')
    .replace(/([:])\s*/g, '$1')
    .split(/[、,，;；/\n+]+|\s+/)
    .map((piece) => piece.trim())
    .filter(Boolean)
  const found: { subject: string; classes: string[] }[] = []
  let open: string[] = []
  let current: { subject: string; classes: string[] } | undefined
  for (const piece of pieces) {
    const { subject, name, isFirst } = splitPiece(piece)
    if (subject === undefined && name === undefined) return undefined
    if (subject === undefined) {
      if (current) current.classes.push(name!)
      else open.push(name!)
      continue
    }
    const one = { subject, classes: [...open, ...(name === undefined ? [] : [name])] }
    open = []
    found.push(one)
    // Classes behind 语文三1 are of the same subject; those behind 三1语文 belong to the next one.
    current = isFirst || one.classes.length === 0 ? one : undefined
  }
  return open.length === 0 && found.length > 0 && found.every(({ classes }) => classes.length > 0) ? found : undefined
}

const hoursWord = /(每?周)?(课时|节数|课时数|周课时|课节|节)数?$/

/** The subject of whose hours a heading speaks: 语文课时, or 课时 under 语文. */
export function hoursOf(heading: string): string | undefined {
  const plain = heading.normalize('NFKC').replace(/\s/g, '')
  if (!hoursWord.test(plain)) return undefined
  const subject = plain.replace(hoursWord, '')
  return isSubject(subject) ? subjectInHeading(subject) : undefined
}

/** More lessons than any class has of one subject in a week. */
const lessonsMost = 10

/**
 * The hours of one class where a row names several: 12 beside two classes are 6 in each, as no class has 12 of one
 * subject. What is usual decides where it is known.
 */
export function hoursEach(hours: number, places: number, usual: number | undefined): number {
  const share = hours / places
  if (places < 2 || !Number.isInteger(share)) return hours
  if (usual !== undefined) return Math.abs(share - usual) <= Math.abs(hours - usual) ? share : hours
  return hours > lessonsMost ? share : hours
}
