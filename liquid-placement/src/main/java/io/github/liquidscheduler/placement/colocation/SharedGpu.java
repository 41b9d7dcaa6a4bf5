package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A candidate: a job beside the residents of a GPU with enough share and memory. It stands for all
 * GPUs of the model with equal residents. Immutable; questions about the residents are made on
 * first use, since most candidates are rejected before.
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
   * @param candidateJob the job to be placed
   * @param residents the jobs there, in order of arrival
   * @param memoryLeft the device memory left beside the candidate job
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

  /** Returns the job to be placed. */
  public CoRunner candidateJob() {
    return candidateJob;
  }

  /** Returns the jobs there, in order of arrival; at least one. */
  public List<CoRunner> residents() {
    return residents;
  }

  /** Returns the device memory left beside the candidate job. */
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
      known = computeResidentsBeside();
      residentsBeside = known;
    }
    return known;
  }

  private List<ColocationQuery> computeResidentsBeside() {
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

  /**
   * A job on a shared GPU, as a policy sees it.
   *
   * @param profile its workload and its load of the GPU
   */
  public record CoRunner(Sharing sharing, ColocationProfile profile) {

    /** Checks that nothing is null. */
    public CoRunner {
      Objects.requireNonNull(sharing, "sharing");
      Objects.requireNonNull(profile, "profile");
    }

    /** Returns the utilisation alone; 1 if unknown. */
    public double utilization() {
      double known = profile.utilization();
      return Double.isNaN(known) ? 1 : known;
    }

    /** Returns true if it was promised a floor. */
    public boolean isGuaranteed() {
      return sharing instanceof Sharing.Guaranteed;
    }
  }
}
