import { rules, type Words } from '@data-brain/contract'

/**
 * One slash and what a browser reads as a path of this very site: also once it has taken the dots and the empty steps
 * out of it, as `/.//host` becomes `//host`.
 */
function isPage(path: string): boolean {
  if (!/^\/(?![/\\])[^\s\\\p{Cc}]*$/u.test(path)) return false
  const [steps = ''] = path.split(/[?#]/, 1)
  return !/\/(\.|%2e)*\//i.test(steps) && !/\/(\.|%2e){1,2}$/i.test(steps)
}

/**
 * What is wrong with a path that a menu leads to; null where nothing is. It is a page of the console (one slash and
 * what a browser reads as a path) or a web address: never a script, and never another host in the guise of a page.
 */
export function wrongPath(path: string): Words | null {
  if (isPage(path) || (/^https?:\/\//i.test(path) && rules.url.check(path) === null)) return null
  return { zh: '应以/开头，或为http(s)网址', en: 'begins with /, or is an http(s) address' }
}
