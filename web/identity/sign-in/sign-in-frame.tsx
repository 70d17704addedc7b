import { Center, Paper, Stack, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Logo } from '../../ui/logo.tsx'

/** The frame of all pages before sign-in. */
export function SignInFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Corvus`
  }, [title])
  return (
    <Center component="main" mih="80vh" p="md">
      <Stack w={400} maw="100%" gap="lg">
        <Center>
          <Logo size={44} />
        </Center>
        <Paper withBorder shadow="sm" p="xl" radius="md">
          <Stack>
            <Title order={1} size="h2">
              {title}
            </Title>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Center>
  )
}
