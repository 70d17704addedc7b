import { Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { CopyAs } from '../ui/copy-as.tsx'
import classes from './ai-text.module.css'
import { type Made, providerName, type Sent } from './made.ts'

interface SentDrawerProps {
  readonly made: Made
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Exactly what was sent to a provider: every message, and the tokens that it used. */
export function SentDrawer({ made, isOpen, onClose }: SentDrawerProps) {
  const { model, provider } = made.generated_by
  const sent = made.sent ?? []
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" size="lg" title="What was sent" zIndex={300}>
      <Stack>
        <Text size="sm">
          These messages were sent to {model} ({providerName(provider)}).
        </Text>
        {sent.map((request, i) => (
          <Request
            key={JSON.stringify([i, request.messages.length])}
            request={request}
            title={titleOf(i, sent.length)}
          />
        ))}
      </Stack>
    </Drawer>
  )
}

const titleOf = (i: number, count: number): string => (count === 1 ? 'Request' : `Request ${i + 1} of ${count}`)

const ROLES = { system: 'System', user: 'User', assistant: 'Assistant' }

function Request({ request, title }: { readonly request: Sent; readonly title: string }) {
  const { messages, prompt_tokens, answer_tokens } = request
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={3} size="h5">
          {title}
        </Title>
        <CopyAs text={JSON.stringify(messages, null, 2)} label="Copy as JSON" />
      </Group>
      <Text size="xs" c="dimmed">
        {tokensInWords(prompt_tokens)} sent, {tokensInWords(answer_tokens)} received
      </Text>
      {messages.map(({ role, content }, i) => (
        <Stack gap={2} key={JSON.stringify([i, role])}>
          <Text size="xs" fw={600}>
            {ROLES[role]}
          </Text>
          <pre className={`code ${classes.prompt}`}>{content}</pre>
        </Stack>
      ))}
    </Stack>
  )
}

const tokensInWords = (count: number | null): string =>
  count === null ? 'an unknown number of tokens' : `${count.toLocaleString('en')} tokens`
