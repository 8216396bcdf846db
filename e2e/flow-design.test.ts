/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAs } from './ask.ts'
import { axeFaults } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { demoPerson, picture as keepPicture } from './window.ts'

/** Processes are designed: as cards by the keyboard alone, and on the drawing board; checked, deployed, and opened again. */

let product: Product
let browser: Browser
let office: Page
const complaints: string[] = []

const person = (account: string): Promise<Page> => demoPerson(browser, product, account, { complaints })

const call = <T>(address: string, send?: Readonly<Record<string, unknown>>): Promise<T> =>
  askAs(office, product.url, address, { body: send })

const picture = (page: Page, name: string): Promise<void> => keepPicture(page, `flow-design-${name}`)

const makeModel = async (name: string, modelKey: string, xml?: string): Promise<string> =>
  (await call<{ id: string }>('blade-flow/model/submit', { name, modelKey, category: '2', ...(xml ? { xml } : {}) })).id

const open = async (id: string, part: string): Promise<void> => {
  await office.goto(`${product.url}/flow/designer/${id}`)
  await office.locator(part).first().waitFor()
}
const press = (...keys: readonly string[]): Promise<void> =>
  keys.reduce(async (before, key) => {
    await before
    await office.keyboard.press(key)
  }, Promise.resolve())
/** The card that has the focus. */
const onCard = (key: string) =>
  office.waitForFunction((wanted) => (document.activeElement as HTMLElement | null)?.dataset.key === wanted, key)
/** Tab until something of this name has the focus. */
async function tabTo(name: RegExp): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    const here = await office.evaluate(() => {
      const at = document.activeElement as HTMLElement | null
      const label = at?.id ? document.querySelector(`label[for="${CSS.escape(at.id)}"]`)?.textContent : ''
      return `${at?.getAttribute('aria-label') ?? ''} ${label ?? ''} ${at?.tagName === 'BUTTON' ? at.innerText : ''} ${at?.closest('label')?.textContent ?? ''}`
    })
    if (name.test(here)) return
    await press('Tab')
  }
  throw new Error(`no way by Tab to ${name}`)
}

/** Opens the menu behind a card and takes its entry so far down. */
async function addBehind(down: number): Promise<void> {
  await press('+')
  await office.getByRole('menu').waitFor()
  await press(...Array<string>(down).fill('ArrowDown'), 'Enter')
}

beforeAll(async () => {
  product = await startProduct({ DEMO: 'on' })
  browser = await launchBrowser()
  office = await person('admin')
}, 240_000)

afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('R-FLOW-1 a process of cards', () => {
  it('is built, checked, saved and deployed by the keyboard alone', { timeout: 120_000 }, async () => {
    const id = await makeModel('外出申请', 'go-out')
    await open(id, '.cards')
    await office.locator('[data-key=start]').focus()

    // The form: days, a number.
    await press('Enter')
    await tabTo(/添加字段/)
    await press('Enter')
    // The new field has the focus by itself, its name selected.
    await office.waitForFunction(
      () => document.activeElement?.closest('.design-form-field input') === document.activeElement,
    )
    await office.keyboard.type('天数')
    await tabTo(/标识/)
    await press('Control+A')
    await office.keyboard.type('days')
    await tabTo(/^ *类型/)
    await press('ArrowDown', 'ArrowDown', 'ArrowDown')
    await press('Escape')
    await onCard('start')

    // Behind the first approval a branch: more than three days go to the principal.
    await press('ArrowDown')
    await onCard('approval_1')
    await addBehind(1)
    await onCard('branch_1')
    await press('ArrowDown')
    await onCard('branch_1/0')
    await press('Enter')
    await tabTo(/添加条件/)
    await press('Enter')
    await tabTo(/天数的值/)
    await office.keyboard.type('3')
    await press('Escape')
    await onCard('branch_1/0')
    await addBehind(0)
    await onCard('approval_2')
    await press('Enter')
    await press('Control+A')
    await office.keyboard.type('校长')
    await tabTo(/由谁/)
    await press('ArrowDown', 'ArrowDown', 'ArrowDown')
    await press('Escape')
    await onCard('approval_2')

    // What was done is taken back, and done again; a card moves, and goes.
    await press('End', 'ArrowUp')
    await onCard('branch_1/1')
    await press('ArrowUp', 'ArrowUp', 'ArrowUp')
    await onCard('branch_1')
    await addBehind(2)
    await onCard('copy_1')
    await press('Alt+ArrowUp')
    await office.waitForFunction(
      () =>
        [...document.querySelectorAll<HTMLElement>('[data-key]')].map((each) => each.dataset.key).join() ===
        'start,approval_1,copy_1,branch_1,branch_1/0,approval_2,branch_1/1,end',
    )
    await press('Delete')
    await onCard('approval_1')
    await press('Control+Z')
    await office.locator('[data-key=copy_1]').waitFor()
    await press('Control+Shift+Z')
    await office.locator('[data-key=copy_1]').waitFor({ state: 'detached' })
    await picture(office, 'cards')
    expect(await axeFaults(office)).toEqual([])

    await press('Control+S')
    await office.getByText('有未保存的修改').waitFor({ state: 'detached' })
    const { xml } = await call<{ xml: string }>(`blade-flow/model/detail?id=${id}`)
    expect(xml).toContain('days == 3')
    expect(xml).toContain('kind="principal"')

    await office.getByRole('button', { name: '检查', exact: true }).focus()
    await press('Enter')
    await office.getByText('检查通过').waitFor()
    await office.getByRole('main').getByRole('button', { name: '部署', exact: true }).focus()
    await press('Enter')
    await office.getByRole('dialog').getByRole('button', { name: '部署', exact: true }).focus()
    await press('Enter')
    await office.getByRole('dialog').getByText('已部署为第1版').waitFor()
    const { records } = await call<{ records: { key: string }[] }>('blade-flow/manager/list?key_equal=go-out')
    expect(records).toHaveLength(1)
  })

  it('says what stands against deploying it, and leads to the card', { timeout: 60_000 }, async () => {
    const id = await makeModel('缺审批人', 'nobody')
    await open(id, '.cards')
    await office.locator('[data-key=approval_1]').click()
    await office.getByRole('button', { name: '移除第1条规则' }).click()
    await office.locator('[data-key=start]').click()
    await office.getByRole('button', { name: '检查', exact: true }).click()
    await office.getByRole('button', { name: '转到“审批”' }).click()
    await onCard('approval_1')
    expect(await office.locator('[data-key=approval_1]').innerText()).toContain('需修改')
    expect(await axeFaults(office)).toEqual([])
  })

  it('is not lost by a reload, nor written over what somebody else has saved', { timeout: 60_000 }, async () => {
    const id = await makeModel('两人同改', 'both')
    await open(id, '.cards')
    await office.locator('[data-key=approval_1]').click()
    await office.getByLabel('名称', { exact: true }).fill('班主任审批')
    await office.reload()
    await office.locator('.cards').waitFor()
    await office.getByText('已恢复上次未保存的修改').waitFor()
    await office.locator('[data-key=approval_1]').getByText('班主任审批').waitFor()
    const { version } = await call<{ version: number }>(`blade-flow/model/detail?id=${id}`)
    await call('blade-flow/model/submit', { id, version, description: '由他人修改' })
    await office.getByRole('button', { name: '保存', exact: true }).click()
    await office.getByRole('button', { name: '用我的覆盖' }).click()
    await office.getByText('有未保存的修改').waitFor({ state: 'detached' })
    expect((await call<{ xml: string }>(`blade-flow/model/detail?id=${id}`)).xml).toContain('班主任审批')
  })
})

const drawn = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:db="https://data-brain.dev/bpmn" targetNamespace="https://data-brain.dev/bpmn">
  <bpmn:process id="both-ways" name="并行审批" isExecutable="true">
    <bpmn:startEvent id="begin"><bpmn:outgoing>f1</bpmn:outgoing></bpmn:startEvent>
    <bpmn:parallelGateway id="fork"><bpmn:incoming>f1</bpmn:incoming><bpmn:outgoing>f2</bpmn:outgoing><bpmn:outgoing>f3</bpmn:outgoing></bpmn:parallelGateway>
    <bpmn:userTask id="one" name="教务处"><bpmn:extensionElements><db:assignees><db:assignee kind="principal" /></db:assignees></bpmn:extensionElements><bpmn:incoming>f2</bpmn:incoming><bpmn:outgoing>f4</bpmn:outgoing></bpmn:userTask>
    <bpmn:userTask id="two" name="总务处"><bpmn:extensionElements><db:assignees><db:assignee kind="deptLeader" up="1" /></db:assignees></bpmn:extensionElements><bpmn:incoming>f3</bpmn:incoming><bpmn:outgoing>f5</bpmn:outgoing></bpmn:userTask>
    <bpmn:parallelGateway id="join"><bpmn:incoming>f4</bpmn:incoming><bpmn:incoming>f5</bpmn:incoming><bpmn:outgoing>f6</bpmn:outgoing></bpmn:parallelGateway>
    <bpmn:endEvent id="finish"><bpmn:incoming>f6</bpmn:incoming></bpmn:endEvent>
    <bpmn:sequenceFlow id="f1" sourceRef="begin" targetRef="fork" /><bpmn:sequenceFlow id="f2" sourceRef="fork" targetRef="one" />
    <bpmn:sequenceFlow id="f3" sourceRef="fork" targetRef="two" /><bpmn:sequenceFlow id="f4" sourceRef="one" targetRef="join" />
    <bpmn:sequenceFlow id="f5" sourceRef="two" targetRef="join" /><bpmn:sequenceFlow id="f6" sourceRef="join" targetRef="finish" />
  </bpmn:process>
  <bpmndi:BPMNDiagram id="d"><bpmndi:BPMNPlane id="p" bpmnElement="both-ways">
    ${(
      [
        ['begin', 160, 200, 36, 36],
        ['fork', 260, 193, 50, 50],
        ['one', 370, 100, 100, 80],
        ['two', 370, 260, 100, 80],
        ['join', 530, 193, 50, 50],
        ['finish', 650, 200, 36, 36],
      ] as const
    )
      .map(
        ([id, x, y, width, height]) =>
          `<bpmndi:BPMNShape id="${id}_s" bpmnElement="${id}"><dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}" /></bpmndi:BPMNShape>`,
      )
      .join('')}
    ${(
      [
        ['f1', 196, 218, 260, 218],
        ['f2', 310, 218, 370, 140],
        ['f3', 310, 218, 370, 300],
        ['f4', 470, 140, 530, 218],
        ['f5', 470, 300, 530, 218],
        ['f6', 580, 218, 650, 218],
      ] as const
    )
      .map(
        ([id, x, y, toX, toY]) =>
          `<bpmndi:BPMNEdge id="${id}_e" bpmnElement="${id}"><di:waypoint x="${x}" y="${y}" /><di:waypoint x="${toX}" y="${toY}" /></bpmndi:BPMNEdge>`,
      )
      .join('')}
  </bpmndi:BPMNPlane></bpmndi:BPMNDiagram>
</bpmn:definitions>`

/** What a model says, without where it is drawn: elements and what is set of them, in order of their ids. */
const meaningOf = (xml: string) =>
  office.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, 'application/xml')
    const said = (element: Element): string =>
      `${element.localName}(${[...element.attributes]
        .filter(({ name }) => !name.startsWith('xmlns'))
        .map(({ localName, value }) => `${localName}=${value}`)
        .sort()})[${[...element.children].map(said).sort().join()}${element.children.length === 0 ? element.textContent?.trim() : ''}]`
    return [...document.getElementsByTagName('*')].filter(({ localName }) => localName === 'process').map(said)
  }, xml)

describe('R-FLOW-1 a process that cards do not say', () => {
  it('is drawn beside the palette on a phone, every Monday at eight is chosen there, and the list says when it starts', {
    timeout: 60_000,
  }, async () => {
    const timed = drawn
      .replaceAll('both-ways', 'on-mondays')
      .replace(
        '<bpmn:outgoing>f1</bpmn:outgoing></bpmn:startEvent>',
        '<bpmn:outgoing>f1</bpmn:outgoing><bpmn:timerEventDefinition><bpmn:timeDuration>P1D</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:startEvent>',
      )
      // Nobody has applied, whose leader or school would be asked.
      .replace('xmlns:db=', 'xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:db=')
      .replace(/<bpmn:extensionElements>.*?<\/bpmn:extensionElements>/g, '')
      .replaceAll('<bpmn:userTask', '<bpmn:userTask camunda:assignee="jiaowu"')
    const id = await makeModel('每周巡查', 'on-mondays', timed)
    await office.setViewportSize({ width: 390, height: 844 })
    await open(id, '.djs-container [data-element-id=two]')
    const begin = office.locator('[data-element-id=begin] .djs-hit')
    const palette = (await office.locator('.djs-palette').boundingBox())!
    await expect.poll(async () => (await begin.boundingBox())!.x).toBeGreaterThanOrEqual(palette.x + palette.width)
    await begin.click({ force: true })
    await office.getByLabel('何时启动').selectOption('round')
    expect(await office.getByLabel('哪一天').inputValue()).toBe('1')
    expect(await office.getByLabel('几点（北京时间）').inputValue()).toBe('08:00')
    await picture(office, 'mondays-390')
    expect(await axeFaults(office)).toEqual([])
    await office.setViewportSize({ width: 1440, height: 900 })
    await office.keyboard.press('Control+s')
    await office.getByText('有未保存的修改').waitFor({ state: 'detached' })
    const { xml } = await call<{ xml: string }>(`blade-flow/model/detail?id=${id}`)
    expect(xml).toMatch(/timeCycle[^>]*>R\/\d{4}-\d\d-\d\dT08:00\/P7D</)
    await office.getByRole('button', { name: '部署', exact: true }).click()
    await office.getByRole('dialog').getByRole('button', { name: '部署', exact: true }).click()
    await office.getByRole('dialog').getByText('已部署为第1版').waitFor()
    await office.goto(`${product.url}/flow/flowprocess`)
    const row = office.locator('tbody tr[data-key]').filter({ hasText: 'on-mondays' })
    await row
      .getByText(/\d{4}-\d\d-\d\d 08:00/)
      .first()
      .waitFor()
  })

  it('opens on the drawing board, with its watermark free', { timeout: 60_000 }, async () => {
    const id = await makeModel('并行审批', 'both-ways', drawn)
    await open(id, '.djs-container [data-element-id=two]')
    expect(await office.locator('.cards').count()).toBe(0)
    await office.getByRole('button', { name: '卡片', exact: true }).click()
    await office.getByText('图中有卡片无法表示的内容').waitFor()
    // What lies over the middle and the corners of the watermark is the watermark.
    const covered = await office.evaluate(() => {
      const { left, top, width, height } = document.querySelector('.bjs-powered-by')!.getBoundingClientRect()
      const spots = [
        [0.5, 0.5],
        [0.1, 0.1],
        [0.9, 0.1],
        [0.1, 0.9],
        [0.9, 0.9],
      ] as const
      return spots.filter(
        ([x, y]) => !document.elementFromPoint(left + x * width, top + y * height)?.closest('.bjs-powered-by'),
      ).length
    })
    expect(covered).toBe(0)
    expect(await axeFaults(office)).toEqual([])
    await picture(office, 'board')
  })

  it('offers nothing that does not run', { timeout: 60_000 }, async () => {
    await office.locator('.djs-container [data-element-id=two]').first().click()
    await office.locator('.djs-context-pad .entry[data-action=replace]').click()
    const offered = await office.locator('.djs-popup .entry').allInnerTexts()
    expect(offered.map((each) => each.trim()).filter(Boolean)).toEqual(['服务任务', '调用流程', '子流程'])
    await press('Escape')
    const tools = await office
      .locator('.djs-palette .entry')
      .evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.action))
    expect(tools).not.toContain('create.task')
    expect(tools).not.toContain('create.participant-expanded')
    expect(tools).toContain('create.user-task')
  })

  it('is drawn, set, saved, and opened again unchanged', { timeout: 90_000 }, async () => {
    const id = await makeModel('画一个', 'drawn', drawn.replaceAll('both-ways', 'drawn'))
    await open(id, '.djs-container [data-element-id=one]')
    await office.locator('.djs-container [data-element-id=one]').first().click()
    await office.getByLabel('名称', { exact: true }).fill('教务处审核')
    await office.getByLabel('驳回后').selectOption('continue')
    await office.locator('.djs-container [data-element-id=finish]').first().click()
    await office.getByLabel('名称', { exact: true }).fill('办结')
    await office.getByRole('button', { name: '保存', exact: true }).click()
    await office.getByText('有未保存的修改').waitFor({ state: 'detached' })
    const first = await call<{ xml: string; version: number }>(`blade-flow/model/detail?id=${id}`)
    expect(first.xml).toContain('db:onRefuse="continue"')
    await open(id, '.djs-container [data-element-id=one]')
    // A change and its taking back leave nothing to save; saved as it is, it says the same.
    await office.locator('.djs-container [data-element-id=one]').first().click()
    await office.getByLabel('名称', { exact: true }).fill('x')
    await office.getByText('有未保存的修改').waitFor()
    await office.locator('.djs-container [data-element-id=two]').first().click()
    await office.getByRole('button', { name: '撤销', exact: true }).click()
    await office.getByText('有未保存的修改').waitFor({ state: 'detached' })
    await office.getByRole('button', { name: '保存', exact: true }).click()
    await office.getByText('更新成功').first().waitFor()
    const again = await call<{ xml: string }>(`blade-flow/model/detail?id=${id}`)
    expect(await meaningOf(again.xml)).toEqual(await meaningOf(first.xml))
    expect(await meaningOf(first.xml)).not.toEqual(await meaningOf(drawn.replaceAll('both-ways', 'drawn')))
  })
})

describe('R-FLOW-2 what a process does by itself', () => {
  it('an action of the product and a message to others are set in words, saved, and opened again', {
    timeout: 90_000,
  }, async () => {
    const form =
      '<bpmn:extensionElements><db:form><db:field name="pupil" label="休学学生" kind="student" /><db:field name="order" label="单号" kind="text" /></db:form></bpmn:extensionElements>'
    const xml = drawn
      .replaceAll('both-ways', 'by-itself')
      .replace(/(<bpmn:process [^>]*>)/, `$1${form}`)
      .replace('<bpmn:process', '<bpmn:message id="m" name="到货" /><bpmn:process')
      .replace(
        /<bpmn:userTask id="two"[\s\S]*?<\/bpmn:userTask>/,
        '<bpmn:serviceTask id="two" name="办理休学"><bpmn:incoming>f3</bpmn:incoming><bpmn:outgoing>f5</bpmn:outgoing></bpmn:serviceTask>',
      )
      .replace(
        /<bpmn:endEvent id="finish"[\s\S]*?(<\/bpmn:endEvent>|\/>)/,
        '<bpmn:endEvent id="finish" name="结束"><bpmn:incoming>f6</bpmn:incoming><bpmn:messageEventDefinition id="md" messageRef="m" /></bpmn:endEvent>',
      )
    const id = await makeModel('自动办理', 'by-itself', xml)
    await open(id, '.djs-container [data-element-id=two]')
    await office.locator('.djs-container [data-element-id=two]').first().click()
    await office.getByLabel('做什么').selectOption({ label: '变更学生状态' })
    await office.getByText('部署者须有修改学生的权限').waitFor()
    await office.getByLabel('学生字段').selectOption({ label: '休学学生' })
    await office.getByLabel('改为').selectOption({ label: '休学' })
    await picture(office, 'action')
    expect(await axeFaults(office)).toEqual([])
    await office.locator('.djs-container [data-element-id=finish]').first().click()
    await office.getByLabel('与其他流程关联').selectOption({ label: '字段“单号”' })
    await picture(office, 'message')
    expect(await axeFaults(office)).toEqual([])
    await office.getByRole('button', { name: '保存', exact: true }).click()
    await office.getByText('有未保存的修改').waitFor({ state: 'detached' })
    const saved = await call<{ xml: string }>(`blade-flow/model/detail?id=${id}`)
    expect(saved.xml).toContain('<db:action kind="action" name="studentStatus">')
    expect(saved.xml).toContain('<db:input name="status" value="2" />')
    expect(saved.xml).toContain('db:correlation="order"')
    await open(id, '.djs-container [data-element-id=two]')
    await office.locator('.djs-container [data-element-id=two]').first().click()
    expect(await office.getByLabel('改为').inputValue()).toBe('2')
    expect(await office.getByLabel('学生字段').inputValue()).toBe('pupil')
  })
})

describe('R-FLOW-1 a file that cannot be drawn', () => {
  it('is told of in words of the product, in both languages', { timeout: 60_000 }, async () => {
    const told = office.locator('.board-canvas [role=alert]')
    const broken = await makeModel('读不了', 'broken', '<definitions><process')
    await office.goto(`${product.url}/flow/designer/${broken}`)
    await told.waitFor()
    expect(await told.innerText()).toContain('不是可以读取的 BPMN 2.0 文件')
    // A script does not run, so that no cards say it.
    const xml = foreign.replaceAll('brought', 'bare').replace('bpmn:userTask', 'bpmn:scriptTask')
    const bare = await makeModel('没有图形', 'bare', xml)
    await office.goto(`${product.url}/flow/designer/${bare}`)
    await told.waitFor()
    expect(await told.innerText()).toContain('没有图形')
    await office.keyboard.press('Alt+g')
    await expect.poll(() => told.innerText()).toContain('without a drawing')
    await office.keyboard.press('Alt+g')
    await picture(office, 'bare')
  })
})

const foreign = `<?xml version="1.0"?><bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:flowable="http://flowable.org/bpmn" targetNamespace="x"><bpmn:process id="brought" name="带来的流程" isExecutable="true"><bpmn:startEvent id="s"/><bpmn:userTask id="u" name="审核" flowable:assignee="admin"/><bpmn:endEvent id="e"/><bpmn:sequenceFlow id="f" sourceRef="s" targetRef="u"/><bpmn:sequenceFlow id="g" sourceRef="u" targetRef="e"/></bpmn:process></bpmn:definitions>`

const fileOf = (name: string, text: string) => ({ name, mimeType: 'text/xml', buffer: Buffer.from(text) })

describe('R-FLOW-7 models, processes and instances', () => {
  it('files are deployed one by one, a version is suspended, and goes by its name', { timeout: 90_000 }, async () => {
    await office.goto(`${product.url}/flow/flowprocess`)
    await office.getByRole('button', { name: '上传部署' }).first().click()
    const dialog = office.getByRole('dialog')
    await dialog
      .locator('input[type=file]')
      .setInputFiles([fileOf('a.bpmn', foreign), fileOf('bad.bpmn20.xml', '<x>'), fileOf('no.txt', 'x')])
    await dialog.getByRole('button', { name: '部署', exact: true }).click()
    await dialog.getByText('3个文件已处理').waitFor()
    const told = await dialog.getByRole('listitem').allInnerTexts()
    expect(told).toHaveLength(3)
    expect(told[0]).toContain('已部署为第1版')
    expect(told[1]).toContain('不是 BPMN 2.0 文件')
    expect(told[2]).toContain('不是流程文件')
    expect(await axeFaults(office)).toEqual([])
    await dialog.getByRole('button', { name: '关闭' }).last().click()

    const row = office.getByRole('row').filter({ hasText: '带来的流程' }).first()
    await row.getByRole('switch').click()
    await office.getByRole('alertdialog').getByRole('button', { name: '挂起' }).click()
    await row.getByRole('switch', { checked: false }).waitFor()
    const choose = async (entry: string): Promise<void> => {
      await office.getByRole('button', { name: /带来的流程.*更多操作/ }).click()
      await office.getByRole('menuitem', { name: entry }).click()
    }
    await choose('流程图')
    await office.getByRole('img', { name: '流程图，步骤：审核' }).waitFor()
    await press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await choose('删除')
    // Nothing goes before its name is typed.
    await office.getByRole('dialog').getByRole('button', { name: '删除部署' }).click()
    await office.getByRole('dialog').getByRole('textbox').fill('带来的流程')
    await office.getByRole('dialog').getByRole('button', { name: '删除部署' }).click()
    await row.waitFor({ state: 'detached' })
  })

  it('versions differ step by step from the model as it is, and a copy is designed on its own', {
    timeout: 90_000,
  }, async () => {
    const id = await makeModel('有版本', 'versioned', drawn.replaceAll('both-ways', 'versioned'))
    const body = new URLSearchParams({ modelId: id, category: '2' })
    const token = (await office.context().cookies()).find((cookie) => cookie.name.includes('access'))!.value
    const deployed = await fetch(`${product.url}/api/blade-flow/model/deploy?${body}`, {
      method: 'POST',
      headers: { 'blade-auth': `bearer ${token}` },
    })
    expect(deployed.status).toBe(200)
    const { xml, version } = await call<{ xml: string; version: number }>(`blade-flow/model/detail?id=${id}`)
    await call('blade-flow/model/submit', {
      id,
      version,
      xml: xml.replace('教务处', '教导处').replace('up="1"', 'up="0"'),
    })
    await office.goto(`${product.url}/flow/flowmodel`)
    const choose = async (entry: string): Promise<void> => {
      await office.getByRole('button', { name: /^有版本.*更多操作/ }).click()
      await office.getByRole('menuitem', { name: entry }).click()
    }
    await choose('版本与差异')
    const changes = office.getByRole('dialog').locator('.flow-changes li')
    await changes.first().waitFor()
    const said = await changes.allInnerTexts()
    expect(said).toHaveLength(2)
    expect(said[0]).toMatch(/修改：教导处.*名称/)
    expect(said[1]).toMatch(/修改：总务处.*设置/)
    await press('Escape')
    await office.getByRole('dialog').waitFor({ state: 'hidden' })
    await choose('复制')
    await office.getByRole('dialog').getByRole('button', { name: '复制', exact: true }).click()
    await office.locator('.djs-container [data-element-id=one]').first().waitFor()
    const copy = new URL(office.url()).pathname.split('/').at(-1)!
    expect((await call<{ xml: string }>(`blade-flow/model/detail?id=${copy}`)).xml).toContain('id="versioned-2"')
  })

  it('stand in lists on which axe finds nothing', { timeout: 120_000 }, async () => {
    for (const [code, heading] of [
      ['flowmodel', '流程模型'],
      ['flowprocess', '流程定义'],
      ['flowinstance', '流程实例'],
    ] as const) {
      await office.goto(`${product.url}/flow/${code}`)
      await office.getByRole('heading', { level: 1, name: heading }).waitFor()
      await office.locator('[aria-busy=true]').waitFor({ state: 'detached' })
      expect(await axeFaults(office)).toEqual([])
      await picture(office, code)
    }
    expect(complaints).toEqual([])
  })
})
