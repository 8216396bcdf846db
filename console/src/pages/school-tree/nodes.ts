import type { SchoolTree } from '@data-brain/contract/calls/school'
import type { TreeNode } from '../../ui/tree/flat.ts'
import type { Translate } from '../../ui/words.ts'

export type Side = 'space' | 'teaching'

/** A campus, building, floor, room, grade or class, with its figures in words. */
export interface SchoolNode extends TreeNode {
  readonly figures: readonly string[]
  /** The record that it is; a building is none. */
  readonly record?: { readonly entity: string; readonly id: string }
  /** What is made below it, and with what it begins. */
  readonly adds?: { readonly entity: string; readonly preset: Readonly<Record<string, string>> }
  readonly children: readonly SchoolNode[]
}

const total = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)

/** School → campus → building → floor → room. */
export function nodesOfSpace(tree: SchoolTree, t: Translate): SchoolNode[] {
  const figuresOf = (rooms: SchoolTree['rooms']) => [
    t('schoolTree.rooms', { count: rooms.length }),
    t('schoolTree.seats', { count: total(rooms, ({ seats }) => seats) }),
  ]
  const at = { schoolId: tree.id }
  const roomsOf = (floorIds: readonly string[]) => tree.rooms.filter(({ floorId }) => floorIds.includes(floorId))
  const floorNode = (floor: SchoolTree['floors'][number]): SchoolNode => {
    const rooms = roomsOf([floor.id])
    return {
      id: `floor-${floor.id}`,
      title: floor.name,
      figures: figuresOf(rooms),
      record: { entity: 'schoolfloor', id: floor.id },
      adds: { entity: 'schoolclassroom', preset: { ...at, campusId: floor.campusId, floorId: floor.id } },
      children: rooms.map((room) => ({
        id: `room-${room.id}`,
        title: room.name,
        figures: [t('schoolTree.seats', { count: room.seats })],
        record: { entity: 'schoolclassroom', id: room.id },
        children: [],
      })),
    }
  }
  return tree.campuses.map((campus) => {
    const floors = tree.floors.filter(({ campusId }) => campusId === campus.id)
    const codes = [...new Set(floors.map(({ buildingCode }) => buildingCode))]
    return {
      id: `campus-${campus.id}`,
      title: campus.name,
      figures: figuresOf(tree.rooms.filter(({ campusId }) => campusId === campus.id)),
      record: { entity: 'schoolcampus', id: campus.id },
      adds: { entity: 'schoolfloor', preset: { ...at, campusId: campus.id } },
      children: codes.map((code) => {
        const within = floors.filter(({ buildingCode }) => buildingCode === code)
        return {
          id: `building-${campus.id}-${code}`,
          title: within[0]!.buildingName,
          figures: [
            t('schoolTree.floors', { count: within.length }),
            ...figuresOf(roomsOf(within.map(({ id }) => id))),
          ],
          adds: { entity: 'schoolfloor', preset: { ...at, campusId: campus.id } },
          children: within.map(floorNode),
        }
      }),
    }
  })
}

/** School → grade → class, of the current year. */
export const nodesOfTeaching = (tree: SchoolTree, t: Translate): SchoolNode[] =>
  tree.grades.map((grade) => {
    const classes = tree.classes.filter(({ gradeId }) => gradeId === grade.id)
    return {
      id: `grade-${grade.id}`,
      title: grade.name,
      figures: [
        t('schoolTree.classes', { count: classes.length }),
        t('schoolTree.pupils', { count: total(classes, ({ pupils }) => pupils) }),
      ],
      adds: {
        entity: 'schoolclass',
        preset: { schoolId: tree.id, gradeId: grade.id, ...(tree.yearId ? { yearId: tree.yearId } : {}) },
      },
      children: classes.map((each) => ({
        id: `class-${each.id}`,
        title: each.name,
        figures: [
          t('schoolTree.pupilsOf', { count: each.pupils, max: each.maxSize }),
          ...(each.headTeacher ? [t('schoolTree.headTeacher', { name: each.headTeacher })] : []),
          ...(each.room ? [t('schoolTree.room', { name: each.room })] : []),
        ],
        record: { entity: 'schoolclass', id: each.id },
        children: [],
      })),
    }
  })
