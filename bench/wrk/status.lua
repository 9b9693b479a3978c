-- GET /requests/{id} of one of the ids in the file named by BENCH_IDS.
local token = os.getenv("BENCH_TOKEN") or ""
local ids = {}
for line in io.lines(os.getenv("BENCH_IDS")) do ids[#ids + 1] = line end
local headers = { ["Authorization"] = "Bearer " .. token }
local random = math.random

request = function()
  return wrk.format("GET", "/requests/" .. ids[random(1, #ids)], headers)
end

done = function(summary, latency)
  io.write(string.format("RESULT %d %d %d %.3f %.3f\n", summary.requests, summary.duration,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
