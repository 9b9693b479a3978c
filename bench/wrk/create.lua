-- POST /requests with a fresh UUID version 4 each time.
local token = os.getenv("BENCH_TOKEN") or ""
math.randomseed(os.time() + tonumber(tostring({}):sub(8), 16) % 1000000)
local random = math.random
local format = string.format
local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. token }

request = function()
  local id = format("%04x%04x-%04x-4%03x-%x%03x-%04x%04x%04x",
    random(0, 65535), random(0, 65535), random(0, 65535), random(0, 4095),
    random(8, 11), random(0, 4095), random(0, 65535), random(0, 65535), random(0, 65535))
  local body = '{"regulation":"gdpr","subject_request_id":"' .. id ..
    '","subject_request_type":"erasure","submitted_time":"2026-11-15T02:00:00Z","subject_identities":[' ..
    '{"identity_type":"email","identity_value":"person-' .. id .. '@example.com","identity_format":"raw"}],"api_version":"2.0"}'
  return wrk.format("POST", "/requests", headers, body)
end

done = function(summary, latency)
  io.write(format("RESULT %d %d %d %.3f %.3f\n", summary.requests, summary.duration,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
