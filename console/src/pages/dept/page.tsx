import { dept } from '@data-brain/contract'
import { moveDept } from '@data-brain/contract/calls/dept'
import { fieldKinds } from '../../entity/fields/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import { EntityTreePage, type MoveCall, useTree } from '../../entity/tree/index.ts'
import { call } from '../../http/call.ts'
import { usePlace } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'

/** What goes wrong is said by the tree. */
const move: MoveCall = (to) => call(moveDept, to, { silent: true })
const SEARCHED = ['deptName', 'fullName'] as const
const WIDE = ['deptCategory', 'fullName', 'leaderId', 'schoolId', 'sort'] as const
const NARROW = ['deptCategory', 'leaderId'] as const
/** In a tree that is fetched level by level a parent is searched by name: most of them are not there to be seen. */
const searched: FormParts = { inputs: { parentId: fieldKinds.reference.Control } }

/** The departments of the tenant as a tree. */
export default function DeptPage() {
  const search = usePlace().query.get('keyword') ?? ''
  const source = useTree(dept, search, SEARCHED)
  const fields = useScreenClass() > 1 ? WIDE : NARROW
  const form = source.need ? { parts: searched } : undefined
  return <EntityTreePage entity={dept} tree={{ source, search, fields, move }} form={form} />
}
