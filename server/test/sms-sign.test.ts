import { describe, expect, it } from 'vitest'
import { canonicalQuery, signAcs3, signBody, signQiniu, signTc3 } from '../src/modules/sms/sign.ts'

const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

describe('signatures, against the examples that the services publish', () => {
  it('Alibaba Cloud: the fixed example of “V3 request structure and signature” (RunInstances)', () => {
    const { canonical, authorization } = signAcs3({
      method: 'POST',
      path: '/',
      query: {
        RegionId: 'cn-shanghai',
        ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd',
      },
      headers: {
        host: 'ecs.cn-shanghai.aliyuncs.com',
        'x-acs-action': 'RunInstances',
        'x-acs-version': '2014-05-26',
        'x-acs-date': '2023-10-26T10:22:32Z',
        'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
        'x-acs-content-sha256': emptyHash,
      },
      body: '',
      accessKey: 'YourAccessKeyId',
      secretKey: 'YourAccessKeySecret',
    })
    expect(canonical).toBe(
      [
        'POST',
        '/',
        'ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai',
        'host:ecs.cn-shanghai.aliyuncs.com',
        'x-acs-action:RunInstances',
        `x-acs-content-sha256:${emptyHash}`,
        'x-acs-date:2023-10-26T10:22:32Z',
        'x-acs-signature-nonce:3156853299f313e23d1673dc12e1703d',
        'x-acs-version:2014-05-26',
        '',
        'host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version',
        emptyHash,
      ].join('\n'),
    )
    expect(authorization).toBe(
      'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
    )
    // The rule of encoding beside it: a space is %20, * is %2A, ~ stays.
    expect(canonicalQuery({ b: 'v=a b*c~d/e', a: '阿' })).toBe('a=%E9%98%BF&b=v%3Da%20b%2Ac~d%2Fe')
  })

  it('Tencent Cloud: the example of “Signature v3” (DescribeInstances, 2019-02-25)', () => {
    const { canonical, authorization } = signTc3({
      service: 'cvm',
      headers: { 'Content-Type': 'application/json; charset=utf-8', Host: 'cvm.tencentcloudapi.com' },
      body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
      timestamp: 1_551_113_065,
      accessKey: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
      secretKey: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
    })
    expect(canonical).toBe(
      'POST\n/\n\ncontent-type:application/json; charset=utf-8\nhost:cvm.tencentcloudapi.com\n\ncontent-type;host\n35e9c5b0e3ae67532d3c9f17ead6c90222632e5b1ff7f6e89887f1398934f064',
    )
    expect(authorization).toBe(
      'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
    )
  })

  it('Qiniu Cloud: the example of “Access token”, and the one of its own libraries with a JSON body', () => {
    const { canonical, authorization } = signQiniu({
      method: 'POST',
      target: '/move/bmV3ZG9jczpmaW5kX21hbi50eHQ=/bmV3ZG9jczpmaW5kLm1hbi50eHQ=',
      host: 'rs.qiniu.com',
      contentType: '',
      body: '',
      accessKey: 'MY_ACCESS_KEY',
      secretKey: 'MY_SECRET_KEY',
    })
    expect(canonical).toBe(
      'POST /move/bmV3ZG9jczpmaW5kX21hbi50eHQ=/bmV3ZG9jczpmaW5kLm1hbi50eHQ=\nHost: rs.qiniu.com\n\n',
    )
    expect(authorization).toBe('Qiniu MY_ACCESS_KEY:1uLvuZM6l6oCzZFqkJ6oI4oFMVQ=')
    const json = { contentType: 'application/json', body: '{"name": "test"}', accessKey: 'ak', secretKey: 'sk' }
    expect(signQiniu({ ...json, method: 'POST', target: '', host: '' }).authorization).toBe(
      'Qiniu ak:0ujEjW_vLRZxebsveBgqa3JyQ-w=',
    )
  })

  it('the gateway: HMAC-SHA256 of a body, as in the published example of the header that everybody knows', () => {
    expect(signBody("It's a Secret to Everybody", 'Hello, World!')).toBe(
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    )
  })
})
