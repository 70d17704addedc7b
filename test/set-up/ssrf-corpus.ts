/**
 * Addresses that the server must not call, with the port of a server on this machine that would notice. Each has the
 * name of the attack that it tries.
 */
export const ssrfCorpus = (port: number, schemes = ['http', 'https']): readonly (readonly [string, string])[] => {
  const hosts = (what: string, names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((host) => schemes.map((scheme) => [`${what}: ${scheme} ${host}`, `${scheme}://${host}:${port}/`])),
    )
  return Object.entries({
    ...hosts('loopback', ['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', 'localhost', 'LOCALHOST', 'localhost.']),
    ...hosts('a number', [
      '2130706433',
      '0x7f000001',
      '017700000001',
      '0x7f.1',
      '0177.0.0.1',
      '127.0x0.0.01',
      '0x7F.0.0.1',
    ]),
    ...hosts('a trailing dot', ['127.0.0.1.', '2130706433.', '10.0.0.1.', '169.254.169.254.']),
    ...hosts('other characters', [
      '１２７.０.０.１',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
      '127．0．0．1',
      '%31%32%37.0.0.1',
      'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
      'loc%61lhost',
    ]),
    ...hosts('any address', ['0.0.0.0', '0', '0x0', '0.0', '[::]', '0.1.2.3']),
    ...hosts('private', [
      '10.0.0.1',
      '10.255.255.255',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '192.168.255.255',
      '0xa.1',
      '167772161',
      '0300.0250.0.1',
    ]),
    ...hosts('link-local', [
      '169.254.169.254',
      '169.254.1.1',
      '2852039166',
      '0xa9fea9fe',
      '0251.0376.0251.0376',
      '[fe80::1]',
      '[febf::1]',
    ]),
    ...hosts('shared or special', [
      '100.64.0.1',
      '100.127.255.255',
      '192.0.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '192.88.99.1',
    ]),
    ...hosts('multicast, broadcast or reserved', [
      '224.0.0.1',
      '239.255.255.255',
      '240.0.0.1',
      '255.255.255.255',
      '4294967295',
      '[ff02::1]',
      '[ff0e::1]',
    ]),
    ...hosts('IPv6', [
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[fc00::1]',
      '[fd12:3456::1]',
      '[fec0::1]',
      '[100::1]',
      '[2001:db8::1]',
      '[2001:10::1]',
      '[5f00::1]',
      '[4000::1]',
    ]),
    ...hosts('IPv4 in IPv6', [
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::FFFF:10.0.0.1]',
      '[0:0:0:0:0:ffff:a9fe:a9fe]',
      '[::127.0.0.1]',
      '[::a00:1]',
      '[::ffff:0:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b::10.0.0.1]',
      '[64:ff9b:1::a00:1]',
      '[2002:7f00:1::]',
      '[2002:a00:1::1]',
      '[2001::1]',
      '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
    ]),
    ...whole('a user before the host', [
      `http://example.org@127.0.0.1:${port}/`,
      `http://example.org:80@127.0.0.1:${port}/`,
      `http://127.0.0.1:${port}@example.org/`,
      `http://example.org%2f@127.0.0.1:${port}/`,
      `http://:x@127.0.0.1:${port}/`,
    ]),
    ...whole('what readers of addresses differ about', [
      `http://127.0.0.1:${port}\\@example.org/`,
      `http://127.0.0.1:${port}#@example.org/`,
      `http://127.0.0.1:${port}?@example.org/`,
      `http:\\\\127.0.0.1:${port}/`,
      `http:/127.0.0.1:${port}/`,
      `http:127.0.0.1:${port}/`,
      `http:///127.0.0.1:${port}/`,
      `HTTP://127.0.0.1:${port}/`,
      ` http://127.0.0.1:${port}/`,
      `http://127.0.0.1\t:${port}/`,
      `http://127.0\n.0.1:${port}/`,
      `//127.0.0.1:${port}/`,
      `127.0.0.1:${port}`,
      'http://127.0.0.1:99999/',
      'http://[::1',
      'http://',
    ]),
    ...whole('another scheme', [
      'file:///etc/passwd',
      'file://localhost/etc/passwd',
      `ftp://127.0.0.1:${port}/`,
      `gopher://127.0.0.1:${port}/_GET%20/`,
      `ws://127.0.0.1:${port}/`,
      `dict://127.0.0.1:${port}/x`,
      `ldap://127.0.0.1:${port}/x`,
      `unix:/var/run/docker.sock`,
      'data:text/plain,x',
      'javascript:alert(1)',
      'about:blank',
      `blob:http://127.0.0.1:${port}/x`,
    ]),
    ...whole('another kind of server', ['http://127.0.0.1:25/', 'http://127.0.0.1:5432/', 'https://10.0.0.1:6379/']),
  })
}

/** Whether an address on a page of a server on this machine leads to another machine. */
export function leadsAway(url: string, server: string): boolean {
  const { hostname = '', origin } = URL.parse(url, server) ?? {}
  const isHere = /^(localhost\.?|127\.0\.0\.1|\[::ffff:7f00:1\])$/.test(hostname)
  return origin !== server && !isHere
}

const whole = (what: string, urls: readonly string[]) =>
  Object.fromEntries(urls.map((url) => [`${what}: ${JSON.stringify(url)}`, url]))
