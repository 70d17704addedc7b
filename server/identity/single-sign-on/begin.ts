import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/errors.ts'
import { SignInFault } from '../openid/fault.ts'
import { beginFlow, type Flow, flowCookie } from '../openid/flows.ts'
import { loadProvider } from '../openid/providers.ts'
import { signInUrl } from '../openid/sign-in.ts'

/** The URL to send the browser to, and the cookie that binds the browser to its sign-in. */
export interface Redirection {
  readonly url: string
  readonly cookie?: string
}

/** Sends a browser to a provider, or back with the reason for failure. */
export async function sendToProvider(
  ctx: Context,
  asked: Pick<Flow, 'provider' | 'returnTo' | 'sessionId'>,
): Promise<Redirection | SignInFault> {
  const provider = await loadProvider(ctx, asked.provider)
  if (!provider?.is_enabled) throw notFound(asked.provider)
  try {
    const flow = await beginFlow(ctx, asked)
    return { url: await signInUrl(ctx, provider, flow), cookie: flowCookie(ctx, flow.browser) }
  } catch (error) {
    if (error instanceof SignInFault) return error
    throw error
  }
}
