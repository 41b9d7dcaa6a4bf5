package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A candidate: a job beside those on a GPU that has the share and the memory for it. It stands for
 * all GPUs of the model with the same residents. Immutable; most are rejected because of the
 * candidate job, so what would be asked about the residents is made when it is asked first.
 */
public final class SharedGpu {

  private final GpuModel gpu;
  private final CoRunner candidateJob;
  private final List<CoRunner> residents;
  private final Memory memoryLeft;
  private final ColocationQuery candidateBeside;
  private @Nullable List<ColocationQuery> residentsBeside;

  /**
   * Makes a candidate.
   *
   * @param gpu the GPU model, by the name that predictors know it by
   * @param candidateJob the job that may come
   * @param residents those who are there, in the order of their arrival
   * @param memoryLeft the device memory that is free once the candidate job is there
   */
  public SharedGpu(
      GpuModel gpu, CoRunner candidateJob, List<CoRunner> residents, Memory memoryLeft) {
    this.gpu = gpu;
    this.candidateJob = candidateJob;
    this.residents = List.copyOf(residents);
    this.memoryLeft = memoryLeft;
    candidateBeside = new ColocationQuery(gpu, candidateJob.profile(), profiles());
  }

  private List<ColocationProfile> profiles() {
    if (residents.size() == 1) {
      return List.of(residents.getFirst().profile());
    }
    List<ColocationProfile> profiles = new ArrayList<>(residents.size());
    residents.forEach(resident -> profiles.add(resident.profile()));
    return profiles;
  }

  /** Returns the GPU model by the name that predictors know it by. */
  public GpuModel gpu() {
    return gpu;
  }

  /** Returns the job that may come. */
  public CoRunner candidateJob() {
    return candidateJob;
  }

  /** Returns those who are there, in the order of their arrival; at least one. */
  public List<CoRunner> residents() {
    return residents;
  }

  /** Returns the device memory that will be free once the candidate job is there. */
  public Memory memoryLeft() {
    return memoryLeft;
  }

  /** Returns the candidate job beside the residents. */
  public ColocationQuery candidateBeside() {
    return candidateBeside;
  }

  /** Returns each resident beside the others and the candidate job. */
  public List<ColocationQuery> residentsBeside() {
    @Nullable List<ColocationQuery> known = residentsBeside;
    if (known == null) {
      known = residentsBesideAnew();
      residentsBeside = known;
    }
    return known;
  }

  private List<ColocationQuery> residentsBesideAnew() {
    List<ColocationProfile> profiles = profiles();
    List<ColocationQuery> beside = new ArrayList<>(profiles.size());
    for (int i = 0; i < profiles.size(); i++) {
      List<ColocationProfile> others = new ArrayList<>(profiles);
      others.remove(i);
      others.add(candidateJob.profile());
      beside.add(new ColocationQuery(gpu, profiles.get(i), others));
    }
    return List.copyOf(beside);
  }

  /**
   * Returns the sum of all utilisations alone, the candidate job's too; unknown ones count as 1.
   */
  public double utilization() {
    double sum = candidateJob.utilization();
    for (CoRunner resident : residents) {
      sum += resident.utilization();
    }
    return sum;
  }
}
