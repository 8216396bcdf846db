// A component, or a hook that is given an object of its own, takes at most eight properties. What more there is stands in a
// context, or in an object of one concept.
//   node scripts/properties.mts [folder]
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import {
  isArrowFunction,
  isCallExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { API, type Project, type Type } from 'typescript/unstable/sync'

const most = 8
const component = /^[A-Z]/
const hook = /^use[A-Z]/
const root = path.resolve(process.argv[2] ?? path.join(fileURLToPath(import.meta.url), '..', '..'))
const configuration = path.join(root, 'console', 'tsconfig.json')
const isSource = (file: string) => !/\/node_modules\/|\.d\.ts$|\/console\/test\//.test(file) && file.startsWith(root)

/** The name of a component or hook that a function is, also where `memo` or `forwardRef` stands around it. */
function nameOf(node: Node): string | undefined {
  if (isFunctionDeclaration(node)) return node.name?.text
  let around = node.parent
  while (isCallExpression(around)) around = around.parent
  return isVariableDeclaration(around) && isIdentifier(around.name) ? around.name.text : undefined
}

/** The properties of a type that the product states; those of an element of the browser are not its own. */
const propertiesOf = ({ checker }: Project, type: Type) => {
  const parts = type.isUnionType() ? (type.getTypes() ?? []) : [type]
  const own = parts
    .flatMap((part) => checker.getPropertiesOfType(part))
    .filter(({ declarations }) => declarations.some(({ path }) => isSource(path)))
  return new Set(own.map(({ name }) => name))
}

type Judged = readonly [name: string, count: number, line: number]

/** Every component with its properties, every hook that takes an object apart, and every call of a hook by an object. */
function judged(project: Project, file: SourceFile): Judged[] {
  const found: Judged[] = []
  const add = (name: string, type: Type | undefined, node: Node): void => {
    if (type)
      found.push([name, propertiesOf(project, type).size, file.text.slice(0, node.getStart()).split('\n').length])
  }
  const walk = (node: Node): void => {
    if (isFunctionDeclaration(node) || isFunctionExpression(node) || isArrowFunction(node)) {
      const name = nameOf(node) ?? ''
      const isHook = hook.test(name)
      for (const { name: taken } of isHook ? node.parameters : component.test(name) ? node.parameters.slice(0, 1) : [])
        if (!isHook || isObjectBindingPattern(taken)) add(name, project.checker.getTypeAtLocation(taken), node)
    }
    if (isCallExpression(node) && isIdentifier(node.expression) && hook.test(node.expression.text))
      for (const given of node.arguments)
        if (isObjectLiteralExpression(given))
          add(`a call of ${node.expression.text}`, project.checker.getContextualType(given), node)
    node.forEachChild((child) => {
      walk(child)
    })
  }
  walk(file)
  return found
}

const api = new API({ cwd: root })
const project = api.updateSnapshot({ openProjects: [configuration] }).getProject(configuration)
if (!project) throw new Error(`${configuration} is no project`)
let seen = 0
const told: string[] = []
for (const name of project.program.getSourceFileNames().filter(isSource)) {
  const file = project.program.getSourceFile(name)
  for (const [component, count, line] of file ? judged(project, file) : []) {
    seen += 1
    if (count > most) told.push(`${path.relative(root, name)}:${line} ${component} takes ${count} properties`)
  }
}
api.close()
if (seen < 100) throw new Error(`only ${seen} components and hooks were found`)
for (const line of told) console.error(line)
console.log(`${seen} components and hooks, ${told.length} of more than ${most} properties`)
process.exitCode = told.length > 0 ? 1 : 0
