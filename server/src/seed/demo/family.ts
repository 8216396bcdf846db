import { studentdetail, studentparents } from '@data-brain/contract'
import type { DemoRows } from './book.ts'
import type { SeededRandom } from './dice.ts'
import { nameOf, type SexCode } from './names.ts'
import { district, employers, origins, streets } from './plan.ts'
import type { Pupil } from './students.ts'

interface Kin {
  readonly relation: string
  readonly sex: SexCode
  /** Years older than the child. */
  readonly older: readonly [number, number]
  readonly sameName: boolean
}

const kin: Readonly<Record<string, Kin>> = {
  father: { relation: '51', sex: '1', older: [24, 36], sameName: true },
  mother: { relation: '52', sex: '2', older: [23, 34], sameName: false },
  grandfather: { relation: '61', sex: '1', older: [50, 62], sameName: true },
  grandmother: { relation: '62', sex: '2', older: [49, 60], sameName: false },
}

/** The guardians of every child, and what the national form asks about its home. */
export function addFamilies(book: DemoRows, pupils: readonly Pupil[]): void {
  for (const pupil of pupils) addFamily(book, pupil)
}

const home = (dice: SeededRandom): string =>
  `示范区${dice.pick(streets)}${dice.int(1, 120)}号院${dice.int(1, 18)}号楼${dice.int(1, 6)}单元${dice.int(1, 22)}0${dice.int(1, 4)}室`

function addFamily(book: DemoRows, pupil: Pupil): void {
  const { dice } = book
  const address = home(dice)
  const leftBehind = dice.weighted([
    ['0', 96],
    ['1', 2],
    ['2', 2],
  ])
  const single = dice.chance(0.06)
  const members = [
    ...(leftBehind === '2'
      ? ['grandmother', 'father']
      : single
        ? [dice.pick(['mother', 'mother', 'father'])]
        : dice.chance(0.6)
          ? ['mother', 'father']
          : ['father', 'mother']),
    ...(leftBehind === '0' && dice.chance(0.06) ? [dice.pick(['grandfather', 'grandmother'])] : []),
  ].map((name) => kin[name]!)
  const born = Number(pupil.birthDate.slice(0, 4))
  const origin = dice.weighted(origins)
  let first: { name: string; phone: string; relation: string } | undefined
  for (const [index, member] of members.entries()) {
    const birthYear = born - dice.int(...member.older)
    const parentName = nameOf(dice, member.sex, birthYear, member.sameName ? pupil.surname : undefined)
    const mobile = book.phone()
    const isParent = member.relation < '61'
    const away = (leftBehind === '2' && isParent) || (leftBehind === '1' && index === 1)
    first ??= { name: parentName, phone: mobile, relation: member.relation }
    book.add(studentparents, {
      schoolId: pupil.school.id,
      studentId: pupil.id,
      parentName,
      relation: member.relation,
      mobile,
      nation: '01',
      education: dice.weighted(
        isParent
          ? [
              ['21', 40],
              ['31', 25],
              ['14', 8],
              ['61', 15],
              ['71', 12],
            ]
          : [
              ['61', 20],
              ['71', 40],
              ['81', 40],
            ],
      ),
      workUnit: isParent ? dice.pick(employers) : null,
      address: away ? null : address,
      isGuardian: isParent || index === 0 ? 1 : 0,
      isEmergency: index === 0 ? 1 : 0,
      contactPriority: index + 1,
      canPickup: away ? 0 : 1,
      livesWith: away ? 0 : 1,
      notifySms: index === 0 ? 1 : 0,
    })
  }
  const distance = Math.round(dice.next() ** 2 * 80) / 10 + 0.2
  const migrant = origin !== district.region && dice.chance(0.5)
  const weight = 12 + (book.year.startYear - born - 4) * 3.4
  book.add(studentdetail, {
    schoolId: pupil.school.id,
    studentId: pupil.id,
    nativePlaceCode: origin,
    birthPlaceCode: dice.chance(0.8) ? district.region : origin,
    hukouRegionCode: migrant ? origin : district.region,
    hukouType: dice.weighted([
      ['3', 80],
      ['2', 12],
      ['1', 8],
    ]),
    homeAddress: address,
    mailAddress: address,
    familyAddress: address,
    postcode: district.postcode,
    isOnlyChild: dice.chance(0.55) ? 1 : 0,
    hadPreschool: dice.chance(0.97) ? 1 : 0,
    leftBehind,
    isMigrantChild: migrant ? 1 : 0,
    needsAid: dice.chance(0.03) ? 1 : 0,
    bloodType: dice.weighted([
      ['4', 32],
      ['1', 28],
      ['2', 30],
      ['3', 10],
    ]),
    heightCm: Math.round((86 + (book.year.startYear - born - 2) * 5.6 + dice.int(-8, 8)) * 10) / 10,
    weightKg: Math.round((weight + dice.int(-3, 8)) * 10) / 10,
    visionLeft: dice.int(42, 52) / 10,
    visionRight: dice.int(42, 52) / 10,
    allergy: dice.chance(0.02) ? dice.pick(['青霉素过敏', '花生过敏', '牛奶过敏', '花粉过敏']) : null,
    distanceKm: Math.round(distance * 10) / 10,
    commute:
      distance < 1
        ? '1'
        : dice.weighted([
            ['4', 40],
            ['3', 30],
            ['2', 30],
          ]),
    hobby: dice.chance(0.35)
      ? dice.pick(['绘画', '书法', '钢琴', '足球', '游泳', '围棋', '舞蹈', '编程', '朗诵', '乒乓球'])
      : null,
    emergencyName: first!.name,
    emergencyPhone: first!.phone,
    emergencyRelation: first!.relation,
  })
}
