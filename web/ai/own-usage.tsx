import { Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { Card } from '../ui/card.tsx'
import { providerName } from './made.ts'

interface OwnUsage {
  readonly provider: string
  readonly requests: number
  readonly prompt_tokens: number
  readonly answer_tokens: number
  readonly budget: number | null
}

/** What the user asked language models this month, and what is left of the budgets; nothing if there is neither. */
export function OwnAiUsage() {
  const { data } = useQuery({
    queryKey: ['ai/usage/self'],
    queryFn: async ({ signal }) =>
      (await call<{ data: { providers: readonly OwnUsage[] } }>('GET', 'ai/usage/self', undefined, signal)).data,
  })
  if (!data || data.providers.length === 0) return null
  return (
    <Card title="Language models" description="What you have used this month (UTC).">
      <Stack gap="sm">
        {data.providers.map((used) => (
          <ProviderUsage key={used.provider} used={used} />
        ))}
      </Stack>
    </Card>
  )
}

function ProviderUsage({ used }: { readonly used: OwnUsage }) {
  const { provider, requests, budget } = used
  const tokens = used.prompt_tokens + used.answer_tokens
  const name = providerName(provider)
  return (
    <div>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      {budget !== null && (
        <Progress
          my={6}
          value={budget === 0 ? 100 : Math.min(100, (tokens / budget) * 100)}
          color={tokens >= budget ? 'red' : 'corvus'}
          aria-label={`Used of ${name}`}
        />
      )}
      <Text size="xs" c="dimmed">
        {requests === 1 ? '1 request' : `${requests.toLocaleString('en')} requests`}, {tokens.toLocaleString('en')}
        {budget !== null && ` of ${budget.toLocaleString('en')}`} tokens
      </Text>
    </div>
  )
}
