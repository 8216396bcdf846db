import { defineCall } from '../call.ts'
import { post } from '../entities/system/post.ts'
import { idOf, idsOf, integerValue, listOf, objectOf, tenantValue, textValue, truthValue } from '../shape.ts'

export const postChoices = defineCall({
  method: 'GET',
  path: 'blade-system/post/select',
  of: post.name,
  access: 'session',
  summary: { zh: '岗位：选项', en: 'Posts to choose from' },
  input: {
    tenantId: tenantValue(),
    keyword: textValue({ max: 64 }),
    ids: idsOf(post.name),
    size: integerValue({ min: 1, max: 50 }),
  },
  answer: listOf(
    objectOf({
      id: idOf(post.name),
      name: textValue(),
      // What tells posts of one name apart, and whether one of them is proposed.
      beside: listOf(textValue()),
      usual: truthValue(),
      postCode: textValue(),
      postName: textValue(),
      category: textValue(),
      sort: integerValue({ nullable: true }),
    }),
  ),
})
