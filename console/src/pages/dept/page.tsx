import { entityOf } from '@data-brain/contract'
import { EntityTreePage } from '../../entity/tree-page.tsx'
import { useWholeTree } from '../../entity/tree-source.ts'
import { usePlace } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'

const dept = entityOf('dept')
const SEARCHED = ['deptName', 'fullName'] as const
const WIDE = ['deptCategory', 'fullName', 'leaderId', 'schoolId', 'sort'] as const
const NARROW = ['deptCategory', 'leaderId'] as const

/** The departments of the tenant as a tree. */
export default function DeptPage() {
  const search = usePlace().query.get('keyword') ?? ''
  const source = useWholeTree(dept, search, SEARCHED)
  const fields = useScreenClass() > 1 ? WIDE : NARROW
  return <EntityTreePage entity={dept} source={source} search={search} fields={fields} moves />
}
