import type { ObservableDefinition } from '../definition.ts'

export const sshPublicKey = {
  type: 'ssh-public-key',
  form: 'a public key as OpenSSH writes it, such as ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA…',
  maximum: 32_768,
  normalise: keyOf,
  looks: [{ order: 240, test: /^(?:ssh-|ecdsa-|sk-)\S+\s+AAAA/ }],
  examples: {
    good: [
      [
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH someone@example.com',
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
      ],
      [
        'AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
      ],
    ],
    bad: [
      '',
      'ssh-ed25519',
      'ssh-ed25519 not-a-key',
      'ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
      'AAAAAAAAAAAA',
      '-----BEGIN PUBLIC KEY-----',
    ],
  },
} as const satisfies ObservableDefinition

/** Algorithm and key without the comment, which anyone can change without changing the key. */
function keyOf(text: string): string | undefined {
  const [, algorithm, key = ''] =
    /^(?:([a-z\d][a-z\d@.-]{0,63})[ \t]+)?(AAAA[a-z\d+/]+={0,2})(?:[ \t]|$)/i.exec(text) ?? []
  const blob = Buffer.from(key, 'base64')
  // The key begins with the name of its own algorithm, after its length.
  if (blob.length < 4) return undefined
  const named = blob.toString('latin1', 4, 4 + Math.min(blob.readUInt32BE(0), 64))
  if (!/^(?:ssh-|ecdsa-sha2-|sk-)[a-z\d@.-]+$/.test(named) || (algorithm ?? named) !== named) return undefined
  return `${named} ${key}`
}
