import { rules, type Words } from '@data-brain/contract'

/**
 * What is wrong with a path that a menu leads to; null where nothing is. It is a page of the console (one slash and
 * what a browser reads as a path) or a web address: never a script, and never another host in the guise of a page.
 */
export function wrongPath(path: string): Words | null {
  const isPage = /^\/(?![/\\])[^\s\\]*$/.test(path)
  if (isPage || (/^https?:\/\//i.test(path) && rules.url.check(path) === null)) return null
  return { zh: '应以/开头，或为http(s)网址', en: 'begins with /, or is an http(s) address' }
}
