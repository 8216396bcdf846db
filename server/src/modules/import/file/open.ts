import { readFile } from 'node:fs/promises'
import { ascInDeclared, openAsc } from '../timetable/asc-book.ts'
import { isFet, openFet } from '../timetable/fet-book.ts'
import { decode, openCsv } from './csv.ts'
import { FileFault } from './limits.ts'
import { openDocument, openHtml, openXmlBook } from './markup.ts'
import { openPackage, textOf } from './package.ts'
import type { RawBook } from './raw-rows.ts'
import { sniffContainer } from './sniff.ts'
import { openXlsx } from './xlsx.ts'

async function openText(path: string): Promise<RawBook> {
  const bytes = await readFile(path)
  const declared = ascInDeclared(bytes)
  if (declared !== undefined) return openAsc(declared)
  const { text, encoding } = decode(bytes)
  const head = text.slice(0, 4_000)
  if (/<Workbook[\s>]/.test(head) && head.includes('schemas-microsoft-com:office:spreadsheet')) return openXmlBook(text)
  if (isFet(head)) return openFet(text)
  if (/<office:document[\s>]/.test(head)) return openDocument([text])
  if (
    /^\s*(?:<!doctype html|<html|<head|<meta|<table|<div|<style|<body|<!--|<\?xml)/i.test(head) &&
    /<table[\s>]/i.test(text)
  ) {
    const named = /<meta[^>]*charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1]?.toLowerCase()
    // A page says itself how it is written.
    const told = named && encoding !== 'utf-16le' && encoding !== 'utf-16be' ? inEncoding(bytes, named) : undefined
    return openHtml(told ?? text)
  }
  return openCsv(text, encoding)
}

function inEncoding(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

async function openOds(path: string): Promise<RawBook> {
  const file = await openPackage(path)
  try {
    const content = file.parts.get('content.xml')
    if (!content)
      throw new FileFault('文件已损坏，请重新保存后上传', 'The file is damaged: save it again and upload it')
    return await openDocument(textOf(content))
  } finally {
    file.close()
  }
}

/** Opens a file as the spreadsheet that it is, whatever its name says. */
export async function openBook(path: string): Promise<RawBook> {
  switch (await sniffContainer(path)) {
    case 'xlsx':
      return openXlsx(path)
    case 'ods':
      return openOds(path)
    case 'text':
      return openText(path)
    case 'xls':
      return (await import('./library.ts')).openWithLibrary(path, 'xls')
    case 'xlsb':
      return (await import('./library.ts')).openWithLibrary(path, 'xlsb')
  }
}
