import { studentresume } from '@data-brain/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { because } from './because.ts'
import { sample } from './sample.ts'
import { fetchFile, png, put } from './storage-parts.ts'
import { makeWorld, type Person, type World } from './world.ts'

/** Whoever is given a file of a child's record is written down: who, when, which file, and why where they say so. */

let world: World
let admin: Person
beforeAll(async () => {
  world = await makeWorld()
  admin = await world.tenant()
})
afterAll(() => world.close())

interface Read {
  childId: string
  rowId: string
  kind: string
  entity: string
  entityName: string
  userId: string
  reason: string | null
}

const reads = async (): Promise<Read[]> =>
  (await admin.get<{ records: Read[] }>('blade-log/read/list', { kind: 'file', size: 100 })).data.records

/** A child with a photograph, and an award with a file. */
async function child(): Promise<{ studentId: string; photo: string; paper: string }> {
  const resume = await sample(admin, studentresume)
  const studentId = String(resume.draft.studentId)
  const photo = (await put(world, admin.token, 'a.png', await png())).data.attachId
  const paper = (await put(world, admin.token, 'b.png', await png())).data.attachId
  expect((await admin.post('blade-user/student/submit', { id: studentId, photo })).msg).toBe('操作成功')
  const award = await admin.post('blade-user/studentresume/submit', { ...resume.draft, attachIds: [paper] })
  expect(award.msg).toBe('操作成功')
  return { studentId, photo, paper }
}

describe('reads of a child’s files', () => {
  it('are recorded when an address is given, each file with its child, and not when it belongs to nobody', async () => {
    const { studentId, photo, paper } = await child()
    const loose = (await put(world, admin.token, 'c.png', await png())).data.attachId
    const teacher = await world.colleague(admin, ['student_view', 'studentresume_view'])
    const before = await reads()
    const given = await teacher.get<Record<string, string>>(
      'blade-resource/attach/link',
      {
        ids: [photo, paper, loose].join(','),
      },
      because('家长会'),
    )
    expect(Object.keys(given.data).sort()).toEqual([photo, paper].sort())
    const fresh = (await reads()).slice(0, -before.length || undefined)
    expect(fresh.map((read) => read.rowId).sort()).toEqual([photo, paper].sort())
    for (const read of fresh)
      expect(read).toMatchObject({
        childId: studentId,
        kind: 'file',
        entity: 'attach',
        entityName: '附件',
        userId: teacher.userId,
        reason: '家长会',
      })
    // Own uploads that nothing points at are nobody's record.
    await admin.get('blade-resource/attach/link', { ids: loose })
    expect(await reads()).toHaveLength(before.length + 2)
  })

  it('are recorded when the file itself is fetched by a session: once, however many parts it comes in', async () => {
    const { photo } = await child()
    const before = (await reads()).length
    const url = `/api/blade-resource/attach/file?id=${photo}`
    expect((await fetchFile(world, url, { token: admin.token, ...because('check') })).status).toBe(200)
    expect((await fetchFile(world, url, { token: admin.token, headers: { range: 'bytes=10-20' } })).status).toBe(206)
    const after = await reads()
    expect(after).toHaveLength(before + 1)
    expect(after[0]).toMatchObject({ rowId: photo, reason: 'check', userId: admin.userId })
  })

  it('are not recorded for the small pictures of a list, which give no leave for the file itself', async () => {
    const children = [await child(), await child(), await child()]
    const photos = children.map((each) => each.photo)
    const teacher = await world.colleague(admin, ['student_view', 'studentresume_view'])
    const before = (await reads()).length
    const { data } = await teacher.get<Record<string, string>>('blade-resource/attach/link', {
      ids: photos.join(','),
      width: 320,
    })
    expect(Object.keys(data).sort()).toEqual([...photos].sort())
    const small = data[photos[0]!]!
    expect((await fetchFile(world, small)).headers['content-type']).toBe('image/webp')
    const own = `/api/blade-resource/attach/file?id=${photos[0]}&width=160`
    expect((await fetchFile(world, own, { token: teacher.token })).headers['content-type']).toBe('image/webp')
    expect(await reads()).toHaveLength(before)
    for (const other of [small.replace('&width=320', ''), small.replace('&width=320', '&width=640')])
      expect((await fetchFile(world, other)).status, other).toBe(404)
    // The wider copy can be read, and is recorded as the file is.
    await teacher.get('blade-resource/attach/link', { ids: photos[0]!, width: 640 })
    await teacher.get('blade-resource/attach/link', { ids: photos[1]! })
    const fresh = (await reads()).slice(0, -before || undefined)
    expect(fresh.map((read) => read.rowId).sort()).toEqual([photos[0], photos[1]].sort())
  })

  it('have no small copy for what is no picture', async () => {
    const paper = (await put(world, admin.token, 'a.txt', Buffer.from('a text'))).data.attachId
    expect((await admin.get('blade-resource/attach/link', { ids: paper, width: 320 })).data).toEqual({})
    expect((await admin.get('blade-resource/attach/link', { ids: paper, width: 321 })).status).toBe(400)
  })

  it('are not recorded where nothing was given', async () => {
    const { photo } = await child()
    const before = (await reads()).length
    const stranger = await world.colleague(admin, ['notice_view'])
    expect((await stranger.get('blade-resource/attach/link', { ids: photo })).data).toEqual({})
    const url = `/api/blade-resource/attach/file?id=${photo}`
    expect((await fetchFile(world, url, { token: stranger.token })).status).toBe(404)
    expect(await reads()).toHaveLength(before)
  })
})
