package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.Optional;

/** A view as an embedder may write one: it shows another's state and is no index. */
public record PlainView(ClusterView shown) implements ClusterView {

  @Override
  public ClusterTopology topology() {
    return shown.topology();
  }

  @Override
  public NodeHealth health(NodeId node) {
    return shown.health(node);
  }

  @Override
  public boolean isLost(GpuId gpu) {
    return shown.isLost(gpu);
  }

  @Override
  public int freeGpus(NodeId node) {
    return shown.freeGpus(node);
  }

  @Override
  public boolean isFree(GpuId gpu) {
    return shown.isFree(gpu);
  }

  @Override
  public CpuCores freeCpu(NodeId node) {
    return shown.freeCpu(node);
  }

  @Override
  public Memory freeMemory(NodeId node) {
    return shown.freeMemory(node);
  }

  @Override
  public int freeShare(GpuId gpu) {
    return shown.freeShare(gpu);
  }

  @Override
  public Memory freeGpuMemory(GpuId gpu) {
    return shown.freeGpuMemory(gpu);
  }

  @Override
  public List<Resident> residents(GpuId gpu) {
    return shown.residents(gpu);
  }

  @Override
  public Bandwidth nicLoad(NodeId node) {
    return shown.nicLoad(node);
  }

  @Override
  public Bandwidth uplinkLoad(DomainId domain) {
    return shown.uplinkLoad(domain);
  }

  @Override
  public List<JobId> runningJobs() {
    return shown.runningJobs();
  }

  @Override
  public Optional<Placement> placement(JobId job) {
    return shown.placement(job);
  }

  @Override
  public Optional<JobSpec> job(JobId job) {
    return shown.job(job);
  }
}
