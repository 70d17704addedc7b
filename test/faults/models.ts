import type { Fault } from './fault.ts'

/** Calls of language models. */
export const modelFaults: readonly Fault[] = [
  {
    breaks: 'a provider is called without consent',
    file: 'server/ai/asking/ready.ts',
    from: '.ai_providers_usage_consented === true',
    to: '.ai_providers_usage_consented !== null',
    tests: ['server/ai/operations/operation.test.ts'],
  },
  {
    breaks: 'the provider goes on when its client has left',
    file: 'server/ai/operations/operation.ts',
    from: 'const signal = ctx.signal ?? new AbortController().signal',
    to: 'const signal = new AbortController().signal',
    tests: ['server/ai/operations/cut-streams.test.ts'],
  },
  {
    breaks: 'a request whose client has left stays counted with all that it could have used',
    file: 'server/ai/asking/usage.ts',
    from: 'await outsideWork(() =>',
    to: 'await ((run: () => Promise<unknown>) => run())(() =>',
    tests: ['server/ai/operations/cut-streams.test.ts'],
  },
  {
    breaks: 'an answer that was cut off looks complete',
    file: 'server/ai/operations/spoken.ts',
    from: "isCutOff: reason === 'length'",
    to: 'isCutOff: false',
    tests: ['server/ai/operations/provider-faults.test.ts'],
  },
  {
    breaks: 'an account without credit is asked again and again',
    file: 'server/ai/calling/failures.ts',
    from: "if (status === 402 || ABOUT_QUOTA.test(about)) return 'quota'",
    to: '',
    tests: ['server/ai/operations/provider-faults.test.ts'],
  },
  {
    breaks: 'an answer to a prompt without its beginning is accepted',
    file: 'server/ai/calling/ollama.ts',
    from: 'const isFull = count >= contextFor(question) - 1',
    to: 'const isFull = false',
    tests: ['server/ai/operations/provider-faults.test.ts'],
  },
  {
    breaks: 'a document in place of a stream is not read',
    file: 'server/ai/calling/openai-answer.ts',
    from: "!'{[<'.includes(text.charAt(0))",
    to: 'true',
    tests: ['server/ai/operations/provider-faults.test.ts'],
  },
  {
    breaks: 'what a user sees as sent is not what was sent',
    file: 'server/ai/calling/chat.ts',
    from: 'messages: asked.messages }',
    to: 'messages }',
    tests: ['server/ai/asking/assistant.test.ts'],
  },
  {
    breaks: 'everyone sees what others ask language models',
    file: 'server/ai/usage/read-usage.ts',
    from: "caller.permissions.has('modify configurations')",
    to: "caller.permissions.has('read configurations')",
    tests: ['server/ai/usage/usage.test.ts'],
  },
]
