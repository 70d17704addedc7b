import { Group, Text } from '@mantine/core'

/** The raven and the product name. */
export function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src="/icon.svg" width={size} height={size} alt="" />
      <Text component="span" fw={700} fz={size * 0.62} lts="-0.01em">
        Corvus
      </Text>
    </Group>
  )
}
