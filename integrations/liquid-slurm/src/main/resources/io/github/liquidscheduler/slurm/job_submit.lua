-- Leaves the start of jobs in some partitions to Liquid: each gets a begin time that never comes.
-- To be put beside slurm.conf, which needs the line JobSubmitPlugins=lua.

-- The partitions of the key "partitions" in Liquid's configuration.
local OWNED = { --[[partitions]] }

-- The user ids that may start jobs: root, and whoever Liquid runs as.
local STARTERS = { [0] = true }

-- 2040-01-01 in UTC. Slurm goes on judging dependencies, and users may hold and release.
local NEVER = 2208988800

local function default_partition(partitions)
  for name, partition in pairs(partitions) do
    if partition.flag_default == 1 then
      return name
    end
  end
  return ""
end

-- A job that names several partitions is owned if all of them are.
local function is_owned(names)
  local any = false
  for name in string.gmatch(names, "[^,]+") do
    if not OWNED[name] then
      return false
    end
    any = true
  end
  return any
end

function slurm_job_submit(job, partitions, user)
  if not is_owned(job.partition or default_partition(partitions)) then
    return slurm.SUCCESS
  end
  local begin = job.begin_time
  if begin and begin ~= slurm.NO_VAL and begin > os.time() and begin < NEVER then
    -- Liquid keeps the job back until then.
    job.admin_comment = string.format("liquid.begin=%d", begin)
  end
  job.begin_time = NEVER
  return slurm.SUCCESS
end

function slurm_job_modify(job, record, partitions, user)
  local begin = job.begin_time
  local is_changed = begin and begin ~= 0 and begin ~= slurm.NO_VAL
  if is_changed and not STARTERS[user] and is_owned(record.partition or "") then
    slurm.log_user("Liquid decides when jobs of this partition start")
    return slurm.ERROR
  end
  return slurm.SUCCESS
end

return slurm.SUCCESS
