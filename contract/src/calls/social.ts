import { defineCall } from '../call.ts'
import { guest } from '../entities/system/guest.ts'
import { socialprovider } from '../entities/system/socialprovider.ts'
import { codeOf } from '../entity.ts'
import { emptyAnswer, idOf, idsOf, objectOf, tenantValue, textValue } from '../shape.ts'

/** A page asks for it: the answer sends the browser on, to the provider or back to the log-in page. */
const going = {
  method: 'GET',
  of: 'blade-auth',
  access: 'public',
  summary: { zh: '第三方登录：前往提供方', en: 'Social log-in: go to the provider' },
  input: { source: textValue({ required: true, max: 32 }), tenantId: tenantValue() },
  bare: true,
  answer: emptyAnswer,
} as const

export const goToProvider = defineCall({ ...going, path: 'blade-auth/oauth/render' })
export const goToNamedProvider = defineCall({ ...going, path: 'blade-auth/oauth/render/:source' })

export const registerGuest = defineCall({
  method: 'POST',
  path: 'blade-user/register-guest',
  of: guest.name,
  access: 'public',
  summary: { zh: '第三方登录用户：申请账号', en: 'Ask for an account, after a social log-in' },
  as: 'form',
  // All but the second password are needed; which of them is missing is told in the form's own words.
  input: {
    tenantId: textValue(),
    name: textValue(),
    account: textValue(),
    password: textValue(),
    password2: textValue(),
    oauthId: textValue(),
  },
  answer: emptyAnswer,
})

export const checkProvider = defineCall({
  method: 'POST',
  path: 'blade-auth/socialprovider/check',
  of: socialprovider.name,
  access: { codes: [codeOf(socialprovider, 'edit')] },
  summary: {
    zh: '第三方登录：检查能否访问，并给出须登记的回调地址',
    en: 'Social log-in: check that the provider is there; answers the address to register with it',
  },
  input: { id: idOf(socialprovider.name, { required: true }) },
  answer: objectOf({ redirectUri: textValue() }),
})

export const approveGuest = defineCall({
  method: 'POST',
  path: 'blade-user/guest/approve',
  of: guest.name,
  access: { codes: ['guest_approve'] },
  summary: { zh: '注册申请：通过，并建立用户', en: 'Registration: approve it, which makes the user' },
  input: {
    id: idOf(guest.name, { required: true }),
    account: textValue({ max: 45 }),
    name: textValue({ max: 50 }),
    roleIds: idsOf('role', { max: 20 }),
    deptIds: idsOf('dept', { max: 20 }),
  },
  answer: objectOf({ userId: idOf('user') }),
})

export const refuseGuests = defineCall({
  method: 'POST',
  path: 'blade-user/guest/refuse',
  of: guest.name,
  access: { codes: ['guest_refuse'] },
  summary: { zh: '注册申请：拒绝', en: 'Registrations: refuse them' },
  input: {
    ids: idsOf(guest.name, { required: true }),
    reason: textValue({ required: true, max: 200, label: guest.fields.reason.label }),
  },
  answer: emptyAnswer,
})
