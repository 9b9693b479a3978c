-- POST a token request; body and type from the environment.
local headers = { ["Content-Type"] = os.getenv("BENCH_TYPE") }
local path, body = os.getenv("BENCH_PATH"), os.getenv("BENCH_BODY")

request = function() return wrk.format("POST", path, headers, body) end

done = function(summary, latency)
  io.write(string.format("RESULT %d %d %d %.3f %.3f\n", summary.requests, summary.duration,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
