/** A reason not to start that the operator can do something about: shown in both languages, without a stack. */
export class StartError extends Error {
  constructor(zh: string, en: string, options?: ErrorOptions) {
    super(`${en}\n${zh}`, options)
    this.name = 'StartError'
  }
}
