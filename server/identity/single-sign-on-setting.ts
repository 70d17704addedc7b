import { z } from 'zod'
import { defineSetting } from '../settings/setting.ts'

/** Sign-in rules that apply to every identity provider. */
export const singleSignOn = defineSetting({
  name: 'single-sign-on',
  doc: 'whether users can sign in with passwords as well as identity providers',
  schema: z.object({
    password_sign_in_enabled: z
      .boolean()
      .default(true)
      .describe('When false, password sign-in is refused as long as another sign-in method is available.'),
  }),
})
