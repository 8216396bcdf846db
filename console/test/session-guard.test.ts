import { beforeEach, describe, expect, it, vi } from 'vitest'
import { guard } from '../src/session/guard.ts'
import { landing, loginAddress } from '../src/session/landing.ts'
import { md5 } from '../src/session/md5.ts'
import { accessToken, dropTokens, keepTokens, refreshToken, tokenAge } from '../src/session/tokens.ts'
import { go, matchPath, place, setQuery, startPlaces } from '../src/ui/place.ts'

const visitor = { hasToken: false, locked: false }
const user = { hasToken: true, locked: false }
const locked = { hasToken: true, locked: true }

describe('the navigation guard', () => {
  it.each([
    ['R-NAV-1 sends every path of a locked session to /lock', '/student', true, locked, '/lock'],
    ['R-NAV-1 public pages too', '/404', false, locked, '/lock'],
    ['R-NAV-1 and lets /lock itself be', '/lock', false, locked, undefined],
    ['R-NAV-2 sends a logged-in visitor of /login to /', '/login', false, user, '/'],
    ['R-NAV-2 lets a visitor without a token see /login', '/login', false, visitor, undefined],
    ['R-NAV-3 sends an empty token to /login', '/wel/index', true, visitor, '/login'],
    ['R-NAV-4 remembers where a visitor was going', '/student', true, visitor, '/login?back=%2Fstudent%3Fpage%3D2'],
    ['R-NAV-4 lets a visitor see what needs no log-in', '/404', false, visitor, undefined],
    ['R-NAV-4 lets a user go on', '/student', true, user, undefined],
    ['does not leave an unlocked session on /lock', '/lock', false, user, '/'],
    [
      'keeps a first password from going on',
      '/student',
      true,
      { ...user, mustChange: true },
      '/info/index?tab=password&back=%2Fstudent%3Fpage%3D2',
    ],
    ['and lets it be changed', '/info/index', true, { ...user, mustChange: true }, undefined],
    [
      'leads to the second factor while one must be set up',
      '/blade/student',
      true,
      { ...user, mustSecond: true },
      '/info/index?tab=security&back=%2Fblade%2Fstudent',
    ],
    ['and lets it be set up', '/info/index', true, { ...user, mustSecond: true }, undefined],
    [
      'the first password before the second factor',
      '/wel/index',
      true,
      { ...user, mustChange: true, mustSecond: true },
      '/info/index?tab=password',
    ],
  ])('%s', (_, path, isAuth, traveller, sent) => {
    const full = path === '/student' ? '/student?page=2' : path
    expect(guard({ path, full, isAuth }, traveller)).toBe(sent)
  })
})

describe('where log-in leads', () => {
  it.each([
    ['/student?current=2', '/student?current=2'],
    [null, '/wel/index'],
    ['//evil.example/x', '/wel/index'],
    ['/\\evil.example', '/wel/index'],
    ['/.//evil.example', '/wel/index'],
    ['/student/..//evil.example', '/wel/index'],
    ['/%2e//evil.example', '/wel/index'],
    ['https://evil.example', '/wel/index'],
    ['javascript:alert(1)', '/wel/index'],
    ['/login?back=/login', '/wel/index'],
  ])('R-NAV-4 back=%s lands on %s', (back, to) => {
    expect(landing(back, 'http://console.test')).toBe(to)
  })

  it('keeps the address of the log-in page short for home', () => {
    expect(loginAddress('/wel/index')).toBe('/login')
    expect(loginAddress('/student?a=1')).toBe('/login?back=%2Fstudent%3Fa%3D1')
  })
})

describe('places', () => {
  beforeEach(() => window.history.replaceState(null, '', '/'))

  it('R-NAV-5 opens a path with target in a new window and stays where it is', () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null)
    go('/student?current=2&target=_blank')
    expect(open).toHaveBeenCalledWith('/student?current=2', '_blank', 'noopener')
    expect(window.location.pathname).toBe('/')
  })

  it('asks the guard before every step', () => {
    startPlaces({ guard: (path) => (path === '/secret' ? '/lock' : undefined) })
    go('/secret')
    expect(place().path).toBe('/lock')
  })

  it('never leaves this origin', () => {
    startPlaces({ guard: () => undefined })
    go('/a')
    go('//evil.example/b')
    expect(place().path).toBe('/a')
  })

  it('replaces the address for filters and steps for places, and keeps what it does not know', () => {
    go('/list?unknown=1')
    const before = window.history.length
    setQuery({ keyword: '王', current: 2 }, { replace: true })
    expect(window.history.length).toBe(before)
    expect(place().query.get('unknown')).toBe('1')
    setQuery({ id: '7', current: null })
    expect(window.history.length).toBe(before + 1)
    expect([...place().query.keys()]).toEqual(['unknown', 'keyword', 'id'])
  })

  it('does not write the late words of another page into the address', () => {
    go('/here')
    setQuery({ keyword: 'x' }, { path: '/there' })
    expect(window.location.search).toBe('')
  })

  it('takes parameters out of a path', () => {
    expect(matchPath('/task/:id/:kind', '/task/a%20b/2')).toEqual({ id: 'a b', kind: '2' })
    expect(matchPath('/task/:id', '/task/1/2')).toBeUndefined()
  })
})

describe('stored tokens', () => {
  it('R-AUTH-10 keeps tokens in cookies and content, dataType, datetime under a prefixed key', () => {
    keepTokens({ access_token: 'a b', refresh_token: 'r', expires_in: 3600, tenant_id: '000000' })
    expect(accessToken()).toBe('a b')
    expect(refreshToken()).toBe('r')
    const stored = JSON.parse(localStorage.getItem('databrain-token') ?? '{}')
    expect(stored).toEqual({ content: 3600, dataType: 'number', datetime: expect.any(Number) })
    expect(tokenAge(stored.datetime + 5000)).toBe(5)
    expect(Object.keys(localStorage).every((key) => key.startsWith('databrain-'))).toBe(true)
    dropTokens()
    expect(accessToken()).toBe('')
    expect(tokenAge()).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('md5', () => {
  it.each([
    ['', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['abc', '900150983cd24fb0d6963f7d28e17f72'],
    [
      '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
      '57edf4a22be3c955ac49da2e2107b67a',
    ],
    ['密码', 'a8105204604a0b11e916f3879aae3b0b'],
  ])('R-AUTH-1 of “%s”', (text, digest) => {
    expect(md5(text)).toBe(digest)
  })
})
